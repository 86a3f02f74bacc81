package im.zonda.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The record of what administrators have done or tried to do. Events are never changed; retention
/// erases the oldest.
///
/// Every change is durable when the call returns. Calls block. Texts that are too long are cut, not
/// rejected: an operation is recorded whatever somebody has entered.
public interface AuditStore {
  /// The maximum length of a word, such as an operation, in bytes of UTF-8.
  int MAX_WORD_BYTES = 64;

  /// The maximum length of a caller and of a network address, in bytes of UTF-8.
  int MAX_CALLER_BYTES = 255;

  /// The maximum length of a host, in bytes of UTF-8.
  int MAX_HOST_BYTES = 1_023;

  /// The maximum length of a subject, in bytes of UTF-8.
  int MAX_SUBJECT_BYTES = 2_047;

  /// The maximum length of the detail, in bytes of UTF-8.
  int MAX_DETAIL_BYTES = 4_096;

  /// The maximum number of events of a page.
  int MAX_PAGE = 1_000;

  /// An event. Its texts are cut to their maximum lengths, and have U+FFFD in place of U+0000,
  /// which not every database stores.
  ///
  /// @param time when it happened, to the microsecond
  /// @param caller who asked for the operation
  /// @param via the word for the way by which the caller came, such as `rest`
  /// @param from the caller's network address, or null
  /// @param operation the operation, such as `account.disable`
  /// @param host the host that it was about, or null
  /// @param subject the address that it was about, or null
  /// @param outcome the word for its outcome, such as `done`
  /// @param detail values before and after the operation, never secrets; null if there are none
  record Event(
      Instant time,
      String caller,
      String via,
      @Nullable String from,
      String operation,
      @Nullable String host,
      @Nullable String subject,
      String outcome,
      @Nullable String detail) {
    public Event {
      time = time.truncatedTo(ChronoUnit.MICROS);
      caller = cut(caller, MAX_CALLER_BYTES);
      via = cut(via, MAX_WORD_BYTES);
      from = from == null ? null : cut(from, MAX_CALLER_BYTES);
      operation = cut(operation, MAX_WORD_BYTES);
      host = host == null ? null : cut(host, MAX_HOST_BYTES);
      subject = subject == null ? null : cut(subject, MAX_SUBJECT_BYTES);
      outcome = cut(outcome, MAX_WORD_BYTES);
      detail = detail == null ? null : cut(detail, MAX_DETAIL_BYTES);
    }
  }

  /// An event with the number under which it is recorded.
  ///
  /// @param id grows with each event
  record Recorded(long id, Event event) {}

  /// A search for events. Texts are compared exactly, and cut as those of an [Event] are.
  ///
  /// @param caller only events of this caller; null for all
  /// @param operation only this operation and those whose names begin with it and a dot: `account`
  ///   finds `account.disable`; null for all
  /// @param host only events about this host; null for all
  /// @param subject only events about this address; null for all
  /// @param since only events at that time or later; null for all
  /// @param until only events before that time; null for all
  /// @param before only events after this one in the order of [#find]: the id of the last one of
  ///   the page before; [Long#MAX_VALUE] for the first page
  /// @param limit the maximum number of events, 1 to [#MAX_PAGE]
  record Query(
      @Nullable String caller,
      @Nullable String operation,
      @Nullable String host,
      @Nullable String subject,
      @Nullable Instant since,
      @Nullable Instant until,
      long before,
      int limit) {
    /// @throws IllegalArgumentException if the limit is too small or too large
    public Query {
      if (limit < 1 || limit > MAX_PAGE) {
        throw new IllegalArgumentException("not a number of events: " + limit);
      }
      caller = caller == null ? null : cut(caller, MAX_CALLER_BYTES);
      operation = operation == null ? null : cut(operation, MAX_WORD_BYTES);
      host = host == null ? null : cut(host, MAX_HOST_BYTES);
      subject = subject == null ? null : cut(subject, MAX_SUBJECT_BYTES);
    }

    /// A search for the newest events.
    public static Query newest(int limit) {
      return new Query(null, null, null, null, null, null, Long.MAX_VALUE, limit);
    }

    /// The same search for the events before that one.
    public Query before(long id) {
      return new Query(caller, operation, host, subject, since, until, id, limit);
    }
  }

  /// Records an event.
  ///
  /// @return its id
  long append(Event event);

  /// Events that a search finds, in the order of their times, and of their ids if the times are
  /// equal, the newest first. Fewer than its limit only if there are no more. None if the event at
  /// the end of the page before was erased: older ones were erased first.
  List<Recorded> find(Query query);

  /// Erases events that happened before a time, the oldest first.
  ///
  /// @param limit the maximum number of events
  /// @return how many were erased; fewer than `limit` only if there are no more
  int erase(Instant before, int limit);

  /// The number of events.
  long count();

  /// The beginning of a text that has at most `most` bytes in UTF-8, with all its characters whole.
  private static String cut(String text, int most) {
    byte[] bytes = text.replace('\0', '\ufffd').getBytes(StandardCharsets.UTF_8);
    int end = Math.min(bytes.length, most);
    while (end < bytes.length && (bytes[end] & 0xc0) == 0x80) {
      end--; // in the middle of a character
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }
}
