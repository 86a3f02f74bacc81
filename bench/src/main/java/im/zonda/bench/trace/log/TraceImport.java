package im.zonda.bench.trace.log;

import im.zonda.bench.trace.EventKind;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceBuilder;
import im.zonda.bench.trace.TraceEvent;
import im.zonda.bench.trace.TraceFormatException;
import im.zonda.bench.trace.TraceHeader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes a trace of the log of another system. Names become hashes, and of a text only its length
/// remains.
public final class TraceImport {
  /// How a log writes times.
  public enum Clock {
    /// Milliseconds, of any epoch.
    MILLIS,
    /// Seconds, of any epoch, with a decimal fraction or not.
    SECONDS,
    /// Date and time (ISO 8601), in UTC if there is no offset.
    ISO
  }

  /// An event whose time has another origin.
  private record Raw(long millis, TraceEvent event) {}

  private final Columns columns;
  private final @Nullable Clock clock;
  private final NameHash names;

  private TraceImport(Columns columns, @Nullable Clock clock, byte[] salt) {
    this.columns = columns;
    this.clock = clock;
    this.names = new NameHash(salt);
  }

  /// Reads a log. Its lines need not be sorted.
  ///
  /// @param clock null to tell it by the first time: a date, or a whole number, which is
  ///   milliseconds if it has more than ten digits
  /// @param salt of the hashes; see [NameHash]
  /// @param linger milliseconds from the last message to the departure, if the log has none
  /// @throws TraceFormatException if a line cannot be understood
  public static Trace read(
      Path file, Columns columns, @Nullable Clock clock, byte[] salt, long linger)
      throws IOException {
    List<Raw> raw = new TraceImport(columns, clock, salt).read(file);
    if (raw.isEmpty()) {
      throw new TraceFormatException(file.toString(), 1, "no events");
    }
    raw.sort(Comparator.comparingLong(Raw::millis).thenComparing(each -> each.event().kind()));
    long first = raw.getFirst().millis();
    if (raw.getLast().millis() - first > TraceEvent.MAX_MILLIS) {
      throw new TraceFormatException(file.toString(), 1, "the log is longer than 366 days");
    }
    TraceBuilder builder = new TraceBuilder(linger);
    for (Raw each : raw) {
      TraceEvent event = each.event();
      builder.add(
          new TraceEvent(
              each.millis() - first, event.kind(), event.player(), event.place(), event.bytes()));
    }
    return builder.build(new TraceHeader(new LinkedHashMap<>()).with("source", "import"));
  }

  private List<Raw> read(Path file) throws IOException {
    List<Raw> events = new ArrayList<>();
    Clock used = clock;
    try (LogReader log = LogReader.open(file)) {
      for (Map<String, String> line = log.next(); line != null; line = log.next()) {
        try {
          String time = need(line, "time");
          if (used == null) {
            used = guess(time);
          }
          events.add(new Raw(millis(time, used), event(line)));
          if (events.size() > Trace.MAX_EVENTS) {
            throw new IllegalArgumentException("more than " + Trace.MAX_EVENTS + " events");
          }
        } catch (IllegalArgumentException | DateTimeException e) {
          throw new TraceFormatException(
              file.toString(), log.line(), String.valueOf(e.getMessage()));
        }
      }
    }
    return events;
  }

  private String need(Map<String, String> line, String field) {
    String value = columns.value(line, field);
    if (value == null) {
      throw new IllegalArgumentException(
          "no value in the column \""
              + columns.names().get(field)
              + "\" for the "
              + field
              + "; name the column with --columns "
              + field
              + "=NAME");
    }
    return value;
  }

  private TraceEvent event(Map<String, String> line) {
    EventKind kind = columns.kind(line);
    String player = names.word("p", need(line, "player"));
    String place = "";
    if (kind == EventKind.DM) {
      String to = columns.value(line, "to");
      place = names.word("p", to == null ? need(line, "room") : to);
    } else if (kind.isOfRoom()) {
      place = names.word("r", need(line, "room"));
    }
    return new TraceEvent(0, kind, player, place, kind.isMessage() ? bytes(line) : 0);
  }

  private int bytes(Map<String, String> line) {
    String given = columns.value(line, "bytes");
    String text = columns.value(line, "text");
    long bytes;
    if (given == null) {
      bytes = text == null ? 1 : text.getBytes(StandardCharsets.UTF_8).length;
    } else {
      bytes = whole(given);
    }
    return Math.clamp(bytes, 1, TraceEvent.MAX_BYTES);
  }

  private static long whole(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no whole number", e);
    }
  }

  private static Clock guess(String time) {
    if (time.indexOf('T') > 0 || time.indexOf(':') > 0) {
      return Clock.ISO;
    }
    return time.indexOf('.') < 0 && time.strip().length() > 10 ? Clock.MILLIS : Clock.SECONDS;
  }

  private static long millis(String text, Clock clock) {
    return switch (clock) {
      case MILLIS -> whole(text);
      case SECONDS -> {
        try {
          double seconds = Double.parseDouble(text);
          if (!(Math.abs(seconds) < 1e12)) {
            throw new IllegalArgumentException("\"" + text + "\" is no time in seconds");
          }
          yield Math.round(seconds * 1e3);
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException("\"" + text + "\" is no time in seconds", e);
        }
      }
      case ISO -> instant(text.strip().replace(' ', 'T')).toEpochMilli();
    };
  }

  private static Instant instant(String text) {
    boolean hasOffset =
        text.endsWith("Z") || text.lastIndexOf('+') > 0 || text.lastIndexOf('-') > 7;
    return hasOffset
        ? OffsetDateTime.parse(text).toInstant()
        : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
  }
}
