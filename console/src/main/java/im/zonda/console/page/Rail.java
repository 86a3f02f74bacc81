package im.zonda.console.page;

import im.zonda.console.chart.History;
import im.zonda.console.chart.Topics;
import im.zonda.console.view.Frame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/// The pages that a visitor may read, in their order.
final class Rail {
  /// The operation that says why a message did not arrive.
  static final String WHY = "message.fate";

  /// The operation that lists traced messages.
  static final String TRACES = "trace.messages";

  /// The operation that gives the last lines of the log.
  static final String LOG = "log.show";

  /// The operation without which there are no first steps.
  private static final String SETTINGS = "config.list";

  /// Pages that belong together, by their words in their order.
  @SuppressWarnings("ImmutableEnumChecker") // the list is immutable
  private enum Group {
    STATE("overview", "load", "queues", "caches", "alarms", "doctor", "log"),
    MESSAGES("why", "traces"),
    PEOPLE(
        "people",
        "sessions",
        "rooms",
        "groups",
        "invitations",
        "reports",
        "bans",
        "failed-logins",
        "providers"),
    NETWORK("hosts", "certificates", "links", "cluster"),
    SERVER;

    private final List<String> words;

    Group(String... words) {
      this.words = List.of(words);
    }
  }

  private Rail() {}

  /// The entries, each group with its heading.
  ///
  /// @param current the address of the page that is shown
  static List<Frame.Entry> of(Desk desk, String current) {
    SequencedMap<String, String> pages = pages(desk);
    List<Frame.Entry> entries = new ArrayList<>();
    for (Group group : Group.values()) {
      String heading = desk.text("group." + group.name().toLowerCase(Locale.ROOT));
      // The last group has all others.
      List<String> words = group == Group.SERVER ? List.copyOf(pages.keySet()) : group.words;
      for (String word : words) {
        String url = pages.remove(word);
        if (url != null) {
          String text = desk.text("page." + word);
          entries.add(new Frame.Entry(heading, text, url, url.equals(current)));
          heading = "";
        }
      }
    }
    return entries;
  }

  /// The addresses of the pages that the visitor may read, by their words.
  private static SequencedMap<String, String> pages(Desk desk) {
    SequencedMap<String, String> pages = new LinkedHashMap<>();
    pages.put("overview", Places.FOLDER);
    if (desk.may(SETTINGS)) {
      pages.put("start", Places.START);
    }
    if (desk.may(History.OPERATION)) {
      Topics.ALL.forEach(each -> pages.put(each.word(), Places.FOLDER + each.word()));
    }
    if (desk.may(WHY)) {
      pages.put("why", Places.DO + WHY);
    }
    if (desk.may(TRACES)) {
      pages.put("traces", Places.TRACES);
    }
    for (ListDefinition each : ListDefinition.ALL) {
      if (desk.may(each.operation())) {
        pages.put(each.word(), Places.FOLDER + each.word());
      }
    }
    if (desk.may(LOG)) {
      pages.put("log", Places.LOG);
    }
    pages.put("operations", Places.DO);
    return pages;
  }
}
