package im.zonda.journal;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The record of stanzas that were not delivered as usual, without their contents. It may have
/// gaps: what it is about has been decided without it. Calls block.
public interface JournalStore extends JournalSearch {
  /// The maximum length of a word, such as a reason, in bytes of UTF-8.
  int MAX_WORD_BYTES = 64;

  /// The maximum length of the other texts of an event, in bytes of UTF-8.
  int MAX_TEXT_BYTES = 255;

  /// The maximum number of events of a page.
  int MAX_PAGE = 1_000;

  /// A store that keeps nothing.
  JournalStore NONE =
      new JournalStore() {
        @Override
        public void append(List<Event> events) {}

        @Override
        public List<Event> find(Query query) {
          return List.of();
        }

        @Override
        public int erase(long before, int limit) {
          return 0;
        }

        @Override
        public int trim(int newest, int limit) {
          return 0;
        }

        @Override
        public int forget(Jid address, int limit) {
          return 0;
        }
      };

  /// An event. Its texts are cut to their maximum lengths.
  ///
  /// @param id its number and its time, microseconds since 1970, as those of the message log
  /// @param node the node of the cluster; empty without one
  /// @param place the word for the part of the server that has decided
  /// @param reason the word for the reason
  /// @param sender who has sent the stanza, or null
  /// @param receiver whom it was for, or null
  /// @param kind the word for the kind of stanza, such as `chat`
  /// @param stanza the `id` of the stanza, or null
  /// @param identity by which all nodes recognise it, or 0
  /// @param detail what belongs to the reason, or null
  record Event(
      long id,
      String node,
      String place,
      String reason,
      @Nullable Jid sender,
      @Nullable Jid receiver,
      String kind,
      @Nullable String stanza,
      long identity,
      @Nullable String detail) {
    public Event {
      node = cut(node, MAX_WORD_BYTES);
      place = cut(place, MAX_WORD_BYTES);
      reason = cut(reason, MAX_WORD_BYTES);
      kind = cut(kind, MAX_WORD_BYTES);
      stanza = stanza == null ? null : cut(stanza, MAX_TEXT_BYTES);
      detail = detail == null ? null : cut(detail, MAX_TEXT_BYTES);
    }

    /// When it happened.
    public Instant time() {
      return Instant.EPOCH.plus(id, ChronoUnit.MICROS);
    }
  }

  /// A search for events.
  ///
  /// @param address only events whose sender or receiver this is; null for all. A bare address
  ///   stands for all its resources, which are not looked at
  /// @param other only events between `address` and this one; null for all
  /// @param reason only events with that reason; null for all
  /// @param since only events with this id or a higher one
  /// @param before only events with a lower id: the last one of the page before, or
  ///   [Long#MAX_VALUE]
  /// @param limit the maximum number of events, 1 to [#MAX_PAGE]
  record Query(
      @Nullable Jid address,
      @Nullable Jid other,
      @Nullable String reason,
      long since,
      long before,
      int limit) {
    /// @throws IllegalArgumentException if the limit is too small or too large
    public Query {
      if (limit < 1 || limit > MAX_PAGE) {
        throw new IllegalArgumentException("not a number of events: " + limit);
      }
      address = address == null ? null : address.bare();
      other = other == null ? null : other.bare();
      reason = reason == null ? null : cut(reason, MAX_WORD_BYTES);
    }

    /// A search for the newest events.
    public static Query newest(int limit) {
      return new Query(null, null, null, Long.MIN_VALUE, Long.MAX_VALUE, limit);
    }

    /// Whether it finds an event.
    public boolean finds(Event event) {
      return event.id() >= since
          && event.id() < before
          && (reason == null || reason.equals(event.reason()))
          && isBetween(event);
    }

    private boolean isBetween(Event event) {
      if (address == null) {
        return true;
      }
      boolean sent = is(address, event.sender());
      boolean received = is(address, event.receiver());
      if (other == null) {
        return sent || received;
      }
      return (sent && is(other, event.receiver())) || (received && is(other, event.sender()));
    }

    private static boolean is(Jid bare, @Nullable Jid address) {
      return address != null && address.bare().equals(bare);
    }
  }

  /// Records events.
  void append(List<Event> events);

  /// Erases events with lower ids, the oldest first.
  ///
  /// @param limit the maximum number of events
  /// @return how many were erased; fewer than `limit` only if there are no more
  int erase(long before, int limit);

  /// Erases all but the newest events, the oldest first.
  ///
  /// @param newest how many stay
  /// @param limit the maximum number of events to erase
  /// @return how many were erased; fewer than `limit` only if there are no more
  int trim(int newest, int limit);

  /// Erases events whose sender or receiver an address is, or one of its resources.
  ///
  /// @param limit the maximum number of events
  /// @return how many were erased; 0 only if there are no more
  int forget(Jid address, int limit);

  /// The beginning of a text that has at most `most` bytes in UTF-8, with all its characters whole.
  /// U+0000, which not every database stores, becomes U+FFFD.
  private static String cut(String text, int most) {
    byte[] bytes = text.replace('\0', '\ufffd').getBytes(StandardCharsets.UTF_8);
    int end = Math.min(bytes.length, most);
    while (end < bytes.length && (bytes[end] & 0xc0) == 0x80) {
      end--; // in the middle of a character
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }
}
