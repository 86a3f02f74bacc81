package im.zonda.bench.run;

import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The options that every scenario has. A scenario that names one of them itself changes what is
/// usual.
public final class CommonOptions {
  private static final String AUTO = "auto";

  /// Those that scenarios can read.
  public static final List<Option> ALL =
      List.of(
          new Option("seconds", "30", "how long is measured"),
          new Option(
              "warm-up", "30", "seconds of load before that, or auto: until the cost is steady"),
          new Option("seed", "1", "what chance begins with"),
          new Option("mechanism", "SCRAM-SHA-1", "how clients log in, or PLAIN, SCRAM-SHA-256"));

  private CommonOptions() {}

  /// The options of a scenario, and those of all scenarios, in the order of the help.
  public static List<Option> of(Scenario scenario) {
    Map<String, Option> all = new LinkedHashMap<>();
    scenario.options().forEach(option -> all.put(option.name(), option));
    ALL.forEach(option -> all.putIfAbsent(option.name(), option));
    return List.copyOf(all.values());
  }

  /// Complete options.
  ///
  /// @param given by name; others have their usual values
  /// @throws IllegalArgumentException if the scenario has no such option
  public static Options complete(Scenario scenario, Map<String, String> given) {
    Map<String, String> values = new TreeMap<>();
    of(scenario).forEach(option -> values.put(option.name(), option.usual()));
    given.forEach((name, value) -> {
      if (values.put(name, value) == null) {
        throw new IllegalArgumentException(scenario.name() + " has no option --" + name);
      }
    });
    Options options = new Options(values);
    double _ = warmUp(options);
    if (options.number("seconds") <= 0) {
      throw new IllegalArgumentException("--seconds must be more than 0");
    }
    int _ = options.whole("seed");
    return options;
  }

  /// The seconds of the warm-up; NaN if they are to be found.
  static double warmUp(Options options) {
    if (options.text("warm-up").equals(AUTO)) {
      return Double.NaN;
    }
    double seconds = options.number("warm-up");
    if (!(seconds >= 0)) {
      throw new IllegalArgumentException("--warm-up must not be negative");
    }
    return seconds;
  }
}
