package im.zonda.bench.profile;

import im.zonda.bench.result.Result;
import im.zonda.profile.Category;
import im.zonda.profile.Profile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The figures of a profile in a result.
///
/// @param profile the profile of the measured phase
/// @param operation what the load consists of; null if it is unknown
record ProfileFigures(Profile profile, @Nullable Operation operation) {
  /// Figures of the shares of categories begin so.
  static final String SHARE = "share-";

  /// Fewer samples leave margins of more than a percentage point.
  private static final long ENOUGH_SAMPLES = 10_000;

  private static final double LEAST_WIRE = 51;
  private static final double MOST_STRINGS = 5;
  private static final double THOUSAND = 1_000;
  private static final int ROWS = 10;
  private static final String JID = "im.zonda.jid.Jid";
  private static final String STRING = "java.lang.String";

  List<Result.Figure> figures() {
    List<Result.Figure> figures = new ArrayList<>();
    figures.add(
        share(
            "network-and-xml",
            "network and XML together, of the time without compilers and collector",
            ofProgram(wire())));
    figures.add(
        share(
            "jid-and-string",
            "JIDs and strings together, of the same time",
            ofProgram(profile.strings().withAddresses())));
    byShare()
        .forEach(category ->
            figures.add(
                share(
                    name(category), category.words() + ", of all time", profile.share(category))));
    figures.add(
        share("strings", "strings and characters, for whatever", profile.strings().share()));
    figures.add(
        share(
            "builder-growth",
            "copies of text whose builder was too small",
            profile.strings().growth()));
    figures.add(share("routing", "routing and modules", profile.share(Category.ROUTING)));
    addExceptions(figures);
    addAllocation(figures);
    figures.add(figure("samples", "samples of CPU time", (double) profile.samples(), ""));
    figures.add(figure("lost-samples", "samples that were lost", (double) profile.lost(), ""));
    return figures;
  }

  /// The name of the figure of a category.
  static String name(Category category) {
    return SHARE + category.name().toLowerCase(Locale.ROOT);
  }

  private List<Category> byShare() {
    return Arrays.stream(Category.values())
        .filter(category -> profile.share(category) > 0)
        .sorted(Comparator.comparingDouble((Category category) -> -profile.share(category)))
        .toList();
  }

  private double wire() {
    return profile.share(Category.NETWORK) + profile.share(Category.XML);
  }

  /// The profile of 2005 knew nothing of the compilers and the collector.
  private double ofProgram(double share) {
    double program = 1 - profile.share(Category.COMPILER) - profile.share(Category.COLLECTOR);
    return program <= 0 ? 0 : Math.min(1, share / program);
  }

  private void addExceptions(List<Result.Figure> figures) {
    Double each = profile.exceptionsPerThousand();
    if (each != null) {
      figures.add(figure("exceptions", "exceptions for 1,000 stanzas", each, ""));
    } else if (operation != null) {
      double exceptions = THOUSAND * profile.exceptions().count() / operation.count();
      figures.add(
          figure("exceptions", "exceptions for 1,000 times: " + operation.name(), exceptions, ""));
    }
  }

  private void addAllocation(List<Result.Figure> figures) {
    if (operation == null) {
      return;
    }
    Profile.Allocation allocation = profile.allocation();
    String each = "allocated for each: " + operation.name();
    figures.add(figure("allocation", each, allocation.bytes() / operation.count(), "B"));
    figures.add(
        figure(
            "jid-allocation",
            "objects Jid and String (without their arrays), " + each,
            (allocation.of(JID) + allocation.of(STRING)) / operation.count(),
            "B"));
  }

  /// A share with its margin, in percent.
  private Result.Figure share(String name, String label, double share) {
    double margin = profile.margin(share);
    return new Result.Figure(
        name,
        label,
        100 * share,
        "%",
        new Result.Interval(100 * Math.max(0, share - margin), 100 * Math.min(1, share + margin)));
  }

  private static Result.Figure figure(String name, String label, double value, String unit) {
    return new Result.Figure(name, label, value, unit, null);
  }

  List<Result.Verdict> verdicts() {
    double wire = 100 * ofProgram(wire());
    double strings = 100 * ofProgram(profile.strings().withAddresses());
    return List.of(
        new Result.Verdict(
            wire >= LEAST_WIRE,
            String.format(
                Locale.ROOT,
                "Network and XML take %.1f %% of the time without compilers and collector.",
                wire),
            "at least " + (int) LEAST_WIRE + " %, as in Openfire 2.4.0"),
        new Result.Verdict(
            strings <= MOST_STRINGS,
            String.format(Locale.ROOT, "JIDs and strings take %.1f %% of it.", strings),
            "at most " + (int) MOST_STRINGS + " %, as in Openfire 2.4.0"));
  }

  List<Result.Table> tables() {
    List<Result.Table> tables = new ArrayList<>();
    add(tables, "Methods with the most CPU time", "method", profile.methods());
    add(tables, "Sites with the most allocation", "method", profile.allocation().sites());
    add(tables, "Classes with the most allocation", "class", profile.allocation().types());
    add(tables, "Exceptions", "exception and method", profile.exceptions().sites());
    return tables;
  }

  private static void add(
      List<Result.Table> tables, String title, String what, List<Profile.Part> parts) {
    if (!parts.isEmpty()) {
      List<List<String>> rows =
          parts.stream()
              .limit(ROWS)
              .map(each ->
                  List.of(each.method(), String.format(Locale.ROOT, "%.1f", 100 * each.share())))
              .toList();
      tables.add(new Result.Table(title, List.of(what, "%"), rows));
    }
  }

  List<String> notes(Path file) {
    List<String> notes = new ArrayList<>();
    if (profile.samples() < ENOUGH_SAMPLES) {
      notes.add(
          String.format(
              Locale.ROOT,
              "There are %,d samples; with fewer than %,d a share of a half can be wrong by more than"
                  + " a percentage point, here by %.1f: measure longer (--seconds), or with more"
                  + " load.",
              profile.samples(),
              ENOUGH_SAMPLES,
              100 * profile.margin(0.5)));
    }
    notes.add(
        "The recording is kept; `jfr summary` and JDK Mission Control open the file "
            + file.getFileName()
            + ".");
    notes.add(
        "Allocation is estimated from samples. The profile is that of the first process of the"
            + " server.");
    return notes;
  }
}
