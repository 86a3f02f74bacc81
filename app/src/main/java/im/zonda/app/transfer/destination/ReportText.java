package im.zonda.app.transfer.destination;

import im.zonda.app.transfer.Omission;
import im.zonda.json.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A report for people and for programs.
///
/// @param source the name of the source
/// @param dryRun whether nothing was written
public record ReportText(String source, boolean dryRun, ImportReport report) {
  /// How many omissions are printed.
  private static final int PRINTED = 50;

  /// The text.
  public String lines() {
    StringBuilder text = new StringBuilder();
    text.append(dryRun ? "would take from " : "taken from ").append(source).append(":\n");
    for (Kind kind : Kind.values()) {
      if (report.taken(kind) > 0 || kind == Kind.ACCOUNTS) {
        line(text, report.taken(kind), kind.words());
        if (kind == Kind.ACCOUNTS) {
          report.credentials().forEach((words, number) -> line(text, number, "  " + words));
        }
      }
    }
    if (report.doneBefore() > 0) {
      line(text, report.doneBefore(), "accounts and rooms were taken by an earlier run");
    }
    if (report.omitted() == 0 && report.leftOut().isEmpty()) {
      return text.append("nothing is left out\n").toString();
    }
    text.append("left out:\n");
    report.leftOut().forEach((what, number) -> line(text, number, what));
    List<Omission> omissions = report.omissions();
    for (Omission omission : omissions.subList(0, Math.min(PRINTED, omissions.size()))) {
      text.append("  ").append(printable(omission.toString())).append('\n');
    }
    if (report.omitted() > PRINTED) {
      text.append(
          String.format(
              Locale.ROOT, "  and %,d more; --json has more%n", report.omitted() - PRINTED));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, long number, String words) {
    text.append(String.format(Locale.ROOT, "%,10d  %s%n", number, words));
  }

  /// Names come from files of others: they must not move the cursor.
  private static String printable(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          int type = Character.getType(c);
          boolean plain =
              type != Character.CONTROL
                  && type != Character.FORMAT
                  && type != Character.LINE_SEPARATOR
                  && type != Character.PARAGRAPH_SEPARATOR
                  && type != Character.SURROGATE;
          if (plain) {
            safe.appendCodePoint(c);
          } else {
            safe.append(String.format(Locale.ROOT, "\\u%04x", c));
          }
        });
    return safe.toString();
  }

  /// The JSON, in one line.
  public String json() {
    Map<String, Object> taken = new LinkedHashMap<>();
    for (Kind kind : Kind.values()) {
      taken.put(kind.name().toLowerCase(Locale.ROOT), report.taken(kind));
    }
    List<Object> omissions = new ArrayList<>();
    for (Omission each : report.omissions()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("where", each.where());
      one.put("what", each.what());
      one.put("why", each.why());
      omissions.add(one);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("source", source);
    all.put("dryRun", dryRun);
    all.put("taken", taken);
    all.put("credentials", report.credentials());
    all.put("doneBefore", report.doneBefore());
    all.put("leftOut", report.leftOut());
    all.put("omitted", report.omitted());
    all.put("omissions", omissions);
    return JsonText.of(all) + "\n";
  }
}
