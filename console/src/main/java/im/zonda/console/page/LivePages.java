package im.zonda.console.page;

import im.zonda.console.chart.History;
import im.zonda.console.chart.Trends;
import im.zonda.console.live.EventStreams;
import im.zonda.console.live.SharedEvents;
import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Streams of what is new on the overview and in the log.
///
/// @param streams writes it
/// @param rounds what was found by an examination
/// @param shared events of the overview
record LivePages(EventStreams streams, DoctorRounds rounds, SharedEvents shared) {
  /// Where the overview asks.
  static final String OVERVIEW = Places.FOLDER + "live/overview";

  /// The figures of the overview.
  ///
  /// @param again the visit as it is later; null once the session has ended
  HttpResponse overview(Desk desk, Supplier<@Nullable Desk> again) {
    check(desk, Health.STATUS);
    return streams.of(() -> {
      Desk now = again.get();
      if (now == null || !now.may(Health.STATUS)) {
        return null;
      }
      // Ten browsers with the overview are not ten times the work.
      List<Object> kind =
          List.of(now.visit().caller().grant(), now.visit().language().code(), now.served());
      String event = shared.of(kind, () -> overviewEvent(now));
      return event == null ? null : List.of(event);
    });
  }

  private @Nullable String overviewEvent(Desk now) {
    ServerState state = ServerState.of(now);
    if (state == null) {
      return null;
    }
    Map<String, @Nullable Object> status = state.status();
    List<Health.Finding> findings = new Health(now, rounds).findings(state);
    StringBuilder event = new StringBuilder();
    Trends trends = Trends.read(now);
    trends
        .places()
        .forEach((name, value) -> event.append(name).append('\t').append(value).append('\n'));
    OverviewPage.figures(now, status, trends)
        .forEach((name, value) -> event.append(name).append('\t').append(value).append('\n'));
    return event
        .append("sentence\t")
        .append(line(Health.sentence(now, findings, status)))
        .toString();
  }

  /// What is new in the charts of a page: what has changed since the last event.
  ///
  /// @param again the visit as it is later; null once the session has ended
  HttpResponse charts(Desk desk, Supplier<@Nullable Desk> again, ChartPage page) {
    check(desk, History.OPERATION);
    Map<String, String> known = new HashMap<>();
    return streams.of(() -> {
      Desk now = again.get();
      Map<String, String> places = now == null ? null : page.places(now);
      if (places == null) {
        return null;
      }
      StringJoiner event = new StringJoiner("\n");
      places.forEach((name, value) -> {
        if (!value.equals(known.put(name, value))) {
          event.add(name + "\t" + line(value));
        }
      });
      return event.length() == 0 ? List.of() : List.of(event.toString());
    });
  }

  private static String line(String text) {
    return text.replace('\n', ' ').replace('\r', ' ');
  }

  /// The lines of the log that are logged from now on.
  HttpResponse log(Desk desk, Supplier<@Nullable Desk> again) {
    check(desk, Rail.LOG);
    Set<String> known = new HashSet<>(LogPage.lines(desk));
    return streams.of(() -> {
      Desk now = again.get();
      if (now == null || !now.may(Rail.LOG)) {
        return null;
      }
      List<String> lines = LogPage.lines(now);
      List<String> added = new ArrayList<>(lines);
      added.removeIf(known::contains);
      known.clear();
      known.addAll(lines);
      return added;
    });
  }

  private static void check(Desk desk, String operation) {
    if (!desk.may(operation)) {
      throw new HttpException(403, "You may not see this");
    }
  }
}
