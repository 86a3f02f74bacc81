package im.zonda.app.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The page that lists every event of the log: names, levels and fields from the sources.
public final class EventReference {
  private static final String HEAD =
      """
      # Events of the log

      <!-- Generated from the sources and from events.properties; CONTRIBUTING.md says how. -->

      Each line of the log is an event with fields. `log.format` makes the log text or JSON, `log.level` and
      `./zonda log set` say which events are in it, and `./zonda log explain EVENT` prints the sentence of this page. Fields that
      all events have are not listed. ERROR and WARN are for an operator to look at; a defect is to be reported.

      | Event | Level | Fields | What it means |
      |---|---|---|---|
      """;

  private static final Pattern CALL =
      Pattern.compile(
          "\\.log\\(\\s*(?:[^\";]*\\? )?\"([a-z0-9_]+)\"(?:\\s*:\\s*\"([a-z0-9_]+)\")?");
  private static final Pattern LEVEL = Pattern.compile("\\.at(Error|Warn|Info|Debug|Trace)\\(\\)");
  private static final Pattern FIELD = Pattern.compile("addKeyValue\\(\\s*\"([^\"]+)\"");

  /// The events of a file of state, whose names begin with the word for its entries.
  private static final Pattern OF_FILE =
      Pattern.compile("(.+?)_(not_all_|not_)?(saved|restored|discarded)");

  private final Map<String, Set<String>> levels = new TreeMap<>();
  private final Map<String, Set<String>> fields = new TreeMap<>();
  private final StringBuilder sources = new StringBuilder();

  private EventReference() {}

  /// Reads sources.
  ///
  /// @param texts the classes of the product
  public static EventReference of(List<String> texts) {
    EventReference reference = new EventReference();
    texts.forEach(reference::add);
    return reference;
  }

  private void add(String text) {
    sources.append(text);
    Matcher call = CALL.matcher(text);
    while (call.find()) {
      String statement = text.substring(text.lastIndexOf(';', call.start()) + 1, call.start());
      for (int group = 1; group <= 2; group++) {
        String event = call.group(group);
        if (event != null) {
          all(LEVEL, statement, levels.computeIfAbsent(event, _ -> new TreeSet<>()));
          all(FIELD, statement, fields.computeIfAbsent(event, _ -> new TreeSet<>()));
        }
      }
    }
  }

  private static void all(Pattern pattern, String text, Set<String> into) {
    Matcher found = pattern.matcher(text);
    while (found.find()) {
      into.add(found.group(1));
    }
  }

  /// Events that have no sentence, and sentences for events that are not in the sources.
  public List<String> differences() {
    List<String> differences = new ArrayList<>();
    Set<String> meanings = EventMeanings.all().keySet();
    for (String each : levels.keySet()) {
      if (!meanings.contains(each)) {
        differences.add(each + " has no sentence");
      }
    }
    for (String each : meanings) {
      Matcher ofFile = OF_FILE.matcher(each);
      if (!isLiteral(each) && !(ofFile.matches() && isLiteral(ofFile.group(1)))) {
        differences.add(each + " is not in the sources");
      }
    }
    return differences;
  }

  private boolean isLiteral(String text) {
    return sources.indexOf("\"" + text + "\"") >= 0;
  }

  /// The page.
  public String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    EventMeanings.all()
        .forEach((event, meaning) ->
            page.append(
                "| `%s` | %s | %s | %s |\n"
                    .formatted(
                        event,
                        String.join(", ", levels.getOrDefault(event, Set.of()))
                            .toUpperCase(Locale.ROOT),
                        fields.getOrDefault(event, Set.of()).stream()
                            .map(each -> "`" + each + "`")
                            .reduce((a, b) -> a + ", " + b)
                            .orElse(""),
                        meaning)));
    return page.toString();
  }
}
