package im.zonda.plugins.filter.rule;

/// Something that is wrong in a file.
///
/// @param file the name of the file
/// @param line the line, from 1; 0 for the file as a whole
/// @param text what is wrong, without a full stop
public record RuleProblem(String file, int line, String text) {
  @Override
  public String toString() {
    return file + (line == 0 ? "" : ":" + line) + ": " + text;
  }
}
