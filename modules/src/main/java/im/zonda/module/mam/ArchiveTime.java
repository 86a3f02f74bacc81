package im.zonda.module.mam;

import im.zonda.stanza.ErrorCondition;
import im.zonda.store.MessageLog;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/// Converts between ids of entries, which are times in microseconds, and the times that clients
/// see, in milliseconds (XEP-0082).
final class ArchiveTime {
  private static final DateTimeFormatter STAMP =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private static final long IDS = 1_000; // per millisecond

  private ArchiveTime() {}

  /// The time of an entry.
  static String stamp(long id) {
    return STAMP.format(MessageLog.timeOf(id));
  }

  /// The lowest id that is not before that time.
  ///
  /// @throws RejectedException `bad-request` if it is not a time
  static long first(String text) throws RejectedException {
    Instant time = parse(text);
    long millis = millis(time);
    return (time.equals(Instant.ofEpochMilli(millis)) ? millis : millis + 1) * IDS;
  }

  /// The highest id that is not after that time.
  ///
  /// @throws RejectedException `bad-request` if it is not a time
  static long last(String text) throws RejectedException {
    return millis(parse(text)) * IDS + IDS - 1;
  }

  private static Instant parse(String text) throws RejectedException {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new RejectedException(
          ErrorCondition.BAD_REQUEST, "Times must have the form 2026-11-21T12:00:00Z.");
    }
  }

  /// Milliseconds since 1970, limited to the range of ids.
  private static long millis(Instant time) {
    long seconds = Math.clamp(time.getEpochSecond(), -4_000_000_000L, 4_000_000_000_000L);
    return seconds * 1_000 + time.getNano() / 1_000_000;
  }
}
