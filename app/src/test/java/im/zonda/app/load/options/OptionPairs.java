package im.zonda.app.load.options;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The `--name value` pairs of a command line: the values of the options that a load declares with
/// their defaults, and the arguments that are left for others. Errors end with the usage of all
/// loads.
public final class OptionPairs {
  private final Map<String, String> values;
  private final List<String> others = new ArrayList<>();

  /// Reads the pairs.
  ///
  /// @param defaults the value of each option that is not given
  public OptionPairs(List<String> args, Map<String, String> defaults) {
    values = new HashMap<>(defaults);
    for (int i = 0; i < args.size(); i += 2) {
      List<String> pair = args.subList(i, Math.min(i + 2, args.size()));
      String name = pair.getFirst().startsWith("--") ? pair.getFirst().substring(2) : "";
      if (pair.size() == 2 && values.containsKey(name)) {
        values.put(name, pair.getLast());
      } else {
        others.addAll(pair);
      }
    }
  }

  /// The arguments that are not these options.
  public List<String> others() {
    return List.copyOf(others);
  }

  /// The value of an option.
  public String text(String name) {
    return String.valueOf(values.get(name));
  }

  /// The value of an option that is a number, not negative.
  ///
  /// @throws IllegalArgumentException if it is none
  public int number(String name) {
    try {
      int number = Integer.parseInt(text(name));
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(notNumber(name), e);
    }
    throw new IllegalArgumentException(notNumber(name));
  }

  private static String notNumber(String name) {
    return "--" + name + " is not a number from 0 on\n" + LoadOptions.USAGE;
  }

  /// The value of an option that is `on` or `off`.
  ///
  /// @throws IllegalArgumentException if it is neither
  public boolean isOn(String name) {
    return switch (text(name)) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new IllegalArgumentException(
              "--" + name + " is neither on nor off\n" + LoadOptions.USAGE);
    };
  }
}
