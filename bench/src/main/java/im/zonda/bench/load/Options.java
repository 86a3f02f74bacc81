package im.zonda.bench.load;

import java.util.Map;

/// The options of a run: those of the scenario, and `seed`.
///
/// @param values by name; complete
public record Options(Map<String, String> values) {
  /// Copies the map.
  public Options {
    values = Map.copyOf(values);
  }

  /// The value as it was given.
  ///
  /// @throws IllegalArgumentException if the scenario has no such option
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no option --" + name);
    }
    return value;
  }

  /// The value as a whole number.
  ///
  /// @throws IllegalArgumentException if it is none
  public int whole(String name) {
    try {
      return Integer.parseInt(text(name));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + name + " " + text(name) + " is no whole number", e);
    }
  }

  /// The value as a number.
  ///
  /// @throws IllegalArgumentException if it is none
  public double number(String name) {
    try {
      return Double.parseDouble(text(name));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + name + " " + text(name) + " is no number", e);
    }
  }

  /// Whether a flag is set.
  public boolean is(String name) {
    return Boolean.parseBoolean(text(name));
  }
}
