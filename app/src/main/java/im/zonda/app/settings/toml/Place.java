package im.zonda.app.settings.toml;

/// The place of a value in a file or in the environment.
///
/// @param source a file's name, or the name of an environment variable
/// @param line the line, from 1; 0 for an environment variable
/// @param column the column, from 1; 0 for an environment variable
public record Place(String source, int line, int column) {
  /// An environment variable.
  public static Place variable(String name) {
    return new Place(name, 0, 0);
  }

  public boolean isVariable() {
    return line == 0;
  }

  @Override
  public String toString() {
    return isVariable() ? source : source + ":" + line + ":" + column;
  }
}
