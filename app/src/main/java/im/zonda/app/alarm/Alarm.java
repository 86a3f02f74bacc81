package im.zonda.app.alarm;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An alarm, active or past.
///
/// @param id names it
/// @param node the node of a cluster; empty without one
/// @param subject the subject, such as a host; empty for the server
/// @param text a sentence about the moment at which the alarm began
/// @param ended null while it is active
/// @param acknowledgedBy the administrator who has acknowledged the alarm, or null
record Alarm(
    String id,
    String node,
    Condition.Kind kind,
    String subject,
    String text,
    Instant since,
    @Nullable Instant ended,
    @Nullable String acknowledgedBy,
    @Nullable Instant acknowledgedAt) {
  private static final int LINES = 8;

  /// A new one.
  static Alarm of(String node, Condition condition, Instant since) {
    String id =
        String.join(
            "-",
            String.valueOf(since.toEpochMilli()),
            condition.kind().name().toLowerCase(Locale.ROOT),
            Integer.toHexString((node + "/" + condition.subject()).hashCode()));
    return new Alarm(
        id, node, condition.kind(), condition.subject(), condition.text(), since, null, null, null);
  }

  /// The same, past.
  Alarm end(Instant time) {
    return new Alarm(id, node, kind, subject, text, since, time, acknowledgedBy, acknowledgedAt);
  }

  /// The same, seen by someone.
  Alarm acknowledge(String by, Instant time) {
    return new Alarm(id, node, kind, subject, text, since, ended, by, time);
  }

  /// As it is stored: lines.
  byte[] write() {
    return String.join(
            "\n",
            node,
            kind.name(),
            subject,
            text,
            millis(since),
            millis(ended),
            acknowledgedBy == null ? "" : acknowledgedBy,
            millis(acknowledgedAt))
        .getBytes(StandardCharsets.UTF_8);
  }

  /// Reads what [#write] has written.
  ///
  /// @throws IllegalArgumentException if it is something else
  static Alarm read(String id, byte[] stored) {
    String[] lines = new String(stored, StandardCharsets.UTF_8).split("\n", -1);
    Instant since = lines.length == LINES ? time(lines[4]) : null;
    if (since == null) {
      throw new IllegalArgumentException("no alarm");
    }
    return new Alarm(
        id,
        lines[0],
        Condition.Kind.valueOf(lines[1]),
        lines[2],
        lines[3],
        since,
        time(lines[5]),
        lines[6].isEmpty() ? null : lines[6],
        time(lines[7]));
  }

  private static String millis(@Nullable Instant time) {
    return time == null ? "" : String.valueOf(time.toEpochMilli());
  }

  private static @Nullable Instant time(String millis) {
    return millis.isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(millis));
  }
}
