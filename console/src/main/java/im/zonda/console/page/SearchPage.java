package im.zonda.console.page;

import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds accounts by the beginning of their names, rooms by their address, and pages and operations
/// by words. Nothing is searched through: each host is asked for one page.
///
/// @param pages what pages have in common
record SearchPage(Pages pages) {
  /// Where it is.
  static final String PATH = Places.FOLDER + "search";

  private static final String MOST = "10";
  private static final int MOST_HOSTS = 10;
  private static final int MOST_QUERY = 200;

  /// Answers a request.
  HttpResponse show(Desk desk) {
    String query = desk.query("q").strip();
    List<Section> sections = new ArrayList<>();
    if (query.isEmpty() || query.length() > MOST_QUERY) {
      sections.add(Section.note("", desk.text("search.what")));
    } else {
      add(desk, "page.people", people(desk, query), sections);
      add(desk, "page.rooms", rooms(desk, query), sections);
      add(desk, "search.pages", pages(desk, query), sections);
      add(desk, "page.operations", operations(desk, query), sections);
      if (sections.isEmpty()) {
        sections.add(Section.note("", desk.text("search.nothing", query)));
      }
    }
    return pages.sections(200, pages.frame(desk, desk.text("search.title"), PATH), sections);
  }

  private static void add(Desk desk, String title, List<List<Cell>> rows, List<Section> sections) {
    if (!rows.isEmpty()) {
      List<Column> columns = new ArrayList<>();
      for (int i = 0; i < rows.getFirst().size(); i++) {
        columns.add(new Column(desk.text(i == 0 ? "column.name" : "column.title"), false));
      }
      sections.add(Section.of(desk.text(title), new Table(columns, rows), ""));
    }
  }

  private static List<String> hosts(Desk desk) {
    List<String> hosts = desk.hosts();
    return hosts.subList(0, Math.min(hosts.size(), MOST_HOSTS));
  }

  private static List<List<Cell>> people(Desk desk, String query) {
    List<List<Cell>> rows = new ArrayList<>();
    if (!desk.may("account.list")) {
      return rows;
    }
    int at = query.indexOf('@');
    String name = at < 0 ? query : query.substring(0, at);
    String domain = at < 0 ? "" : query.substring(at + 1);
    for (String host : hosts(desk)) {
      if (!host.startsWith(domain) || name.isEmpty()) {
        continue;
      }
      Map<String, @Nullable Object> data =
          desk.data("account.list", Map.of(Operation.HOST, host, "name", name, "limit", MOST));
      if (data != null && data.get("accounts") instanceof List<?> found) {
        found.forEach(
            each -> rows.add(List.of(Cell.link(each.toString(), Places.person(each.toString())))));
      }
    }
    return rows;
  }

  private static List<List<Cell>> rooms(Desk desk, String query) {
    List<List<Cell>> rows = new ArrayList<>();
    if (query.indexOf('@') <= 0 || !desk.may("room.show")) {
      return rows;
    }
    String domain = query.substring(query.indexOf('@') + 1);
    boolean service = hosts(desk).stream().anyMatch(host -> domain.endsWith("." + host));
    Map<String, @Nullable Object> data =
        service ? desk.data("room.show", Map.of("room", query)) : null;
    if (data != null && data.get("room") instanceof String room) {
      rows.add(List.of(Cell.link(room, Desk.url(Places.ROOM, Map.of("room", room)))));
    }
    return rows;
  }

  private static List<List<Cell>> pages(Desk desk, String query) {
    List<List<Cell>> rows = new ArrayList<>();
    Rail.of(desk, "").stream()
        .filter(each -> contains(each.text(), query))
        .forEach(each -> rows.add(List.of(Cell.link(each.text(), each.url()))));
    return rows;
  }

  private static List<List<Cell>> operations(Desk desk, String query) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Operation<?, ?> each : desk.operations().catalogue().operations()) {
      String title = desk.title(each);
      String all = each.name() + "\n" + each.title() + "\n" + title;
      if (desk.may(each) && contains(all, query)) {
        rows.add(List.of(Cell.link(each.name(), Places.DO + each.name()), Cell.of(title)));
      }
    }
    return rows;
  }

  private static boolean contains(String text, String words) {
    return text.toLowerCase(Locale.ROOT).contains(words.toLowerCase(Locale.ROOT));
  }
}
