package im.zonda.bench.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The combinations of values that a matrix of runs has.
///
/// @param options the values by option of the scenario, in the order in which they vary, the first
///   slowest
/// @param collectors names of [#COLLECTORS]; empty for the collector of the product
/// @param pages names of [#PAGES]; empty for the pages of the product
record Variants(Map<String, List<String>> options, List<String> collectors, List<String> pages) {
  /// Options of the virtual machine by the name of a collector.
  static final Map<String, String> COLLECTORS =
      Map.of(
          "shipped", "",
          "g1", "-XX:MaxNewSize=1g -XX:InitiatingHeapOccupancyPercent=45 -XX:GCTimeRatio=24",
          "serial", "-XX:-UseG1GC -XX:+UseSerialGC",
          "parallel", "-XX:-UseG1GC -XX:+UseParallelGC",
          "zgc", "-XX:-UseG1GC -XX:+UseZGC",
          "shenandoah", "-XX:-UseG1GC -XX:+UseShenandoahGC");

  /// Options of the virtual machine by the name of a kind of pages.
  static final Map<String, String> PAGES =
      Map.of(
          "default", "",
          "thp", "-XX:+UseTransparentHugePages",
          "huge", "-XX:+UseLargePages");

  private static final int MOST = 100;

  /// A run.
  ///
  /// @param label names it among the others
  /// @param options values by option of the scenario
  /// @param java options of the server's virtual machine, with blanks between
  record Variant(String label, Map<String, String> options, String java) {}

  /// Rejects unknown names.
  ///
  /// @throws IllegalArgumentException with the names that there are
  Variants {
    require("--gc", collectors, COLLECTORS);
    require("--pages", pages, PAGES);
  }

  private static void require(String option, List<String> names, Map<String, String> known) {
    for (String name : names) {
      if (!known.containsKey(name)) {
        throw new IllegalArgumentException(
            option
                + " "
                + name
                + ": there are "
                + String.join(", ", known.keySet().stream().sorted().toList()));
      }
    }
  }

  /// All combinations.
  ///
  /// @throws IllegalArgumentException if there are more than a hundred
  List<Variant> all() {
    List<Variant> variants = List.of(new Variant("", Map.of(), ""));
    for (Map.Entry<String, List<String>> option : options.entrySet()) {
      variants =
          times(
              variants,
              option.getValue(),
              (before, value) -> {
                Map<String, String> more = new LinkedHashMap<>(before.options());
                more.put(option.getKey(), value);
                return new Variant(
                    label(before, option.getKey() + "-" + value), more, before.java());
              });
    }
    variants = times(variants, collectors, (before, name) -> java(before, name, COLLECTORS));
    variants = times(variants, pages, (before, name) -> java(before, name, PAGES));
    if (variants.size() > MOST) {
      throw new IllegalArgumentException(variants.size() + " runs are more than " + MOST);
    }
    return variants;
  }

  private interface Extension {
    Variant of(Variant before, String value);
  }

  private static List<Variant> times(
      List<Variant> variants, List<String> values, Extension extension) {
    if (values.isEmpty()) {
      return variants;
    }
    List<Variant> all = new ArrayList<>();
    for (Variant variant : variants) {
      for (String value : values) {
        all.add(extension.of(variant, value));
      }
    }
    return all;
  }

  private static Variant java(Variant before, String name, Map<String, String> known) {
    String more = known.getOrDefault(name, "");
    return new Variant(label(before, name), before.options(), (before.java() + " " + more).strip());
  }

  private static String label(Variant before, String more) {
    return before.label().isEmpty() ? more : before.label() + "-" + more;
  }
}
