package im.zonda.trace;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages that were traced and their steps, without their contents. It may have gaps. Calls
/// block.
public interface TraceStore {
  /// The maximum length of a word, such as a place, in bytes of UTF-8.
  int MAX_WORD_BYTES = 64;

  /// The maximum length of the other texts, in bytes of UTF-8.
  int MAX_TEXT_BYTES = 255;

  /// The maximum number of messages of a page, and of steps of a message that are read.
  int MAX_PAGE = 1_000;

  /// A store that keeps nothing.
  TraceStore NONE =
      new TraceStore() {
        @Override
        public void append(List<Traced> messages, List<Step> steps) {}

        @Override
        public List<Traced> find(Query query) {
          return List.of();
        }

        @Override
        public List<Traced> messages(long trace) {
          return List.of();
        }

        @Override
        public List<Step> steps(long trace) {
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

  /// A message that is traced.
  ///
  /// @param id its number and its time, microseconds since 1970, as those of the message log
  /// @param trace what its steps have, on all nodes; not 0
  /// @param chosen the name of the choice that it fits
  /// @param node the node where it was traced first; empty without a cluster
  /// @param sender the sender, or null
  /// @param receiver whom it is for, or null
  /// @param kind the word for the kind of message, such as `chat`
  /// @param stanza the `id` of the stanza, or null
  record Traced(
      long id,
      long trace,
      String chosen,
      String node,
      @Nullable Jid sender,
      @Nullable Jid receiver,
      String kind,
      @Nullable String stanza) {
    public Traced {
      chosen = cut(chosen, MAX_WORD_BYTES);
      node = cut(node, MAX_WORD_BYTES);
      kind = cut(kind, MAX_WORD_BYTES);
      stanza = stanza == null ? null : cut(stanza, MAX_TEXT_BYTES);
    }

    /// When it was traced first.
    public Instant time() {
      return Instant.EPOCH.plus(id, ChronoUnit.MICROS);
    }
  }

  /// A step of a message.
  ///
  /// @param id its number; steps of a node are numbered in their order
  /// @param trace the number of the message's trace
  /// @param time when it was, microseconds since 1970
  /// @param node the node; empty without a cluster
  /// @param place the word for the part of the server
  /// @param verdict the word for what has happened
  /// @param reason the word for the reason, or null
  /// @param detail what belongs to it, or null
  record Step(
      long id,
      long trace,
      long time,
      String node,
      String place,
      String verdict,
      @Nullable String reason,
      @Nullable String detail) {
    public Step {
      node = cut(node, MAX_WORD_BYTES);
      place = cut(place, MAX_WORD_BYTES);
      verdict = cut(verdict, MAX_WORD_BYTES);
      reason = reason == null ? null : cut(reason, MAX_WORD_BYTES);
      detail = detail == null ? null : cut(detail, MAX_TEXT_BYTES);
    }
  }

  /// A search for messages.
  ///
  /// @param address only messages whose sender or receiver this is; null for all. A bare address
  ///   stands for all its resources, which are not looked at
  /// @param chosen only messages that fit this choice; null for all
  /// @param since only messages with this id or a higher one
  /// @param before only messages with a lower id: the last one of the page before, or
  ///   [Long#MAX_VALUE]
  /// @param limit the maximum number of messages, 1 to [#MAX_PAGE]
  record Query(@Nullable Jid address, @Nullable String chosen, long since, long before, int limit) {
    /// @throws IllegalArgumentException if the limit is too small or too large
    public Query {
      if (limit < 1 || limit > MAX_PAGE) {
        throw new IllegalArgumentException("not a number of messages: " + limit);
      }
      address = address == null ? null : address.bare();
      chosen = chosen == null ? null : cut(chosen, MAX_WORD_BYTES);
    }

    /// A search for the newest messages.
    public static Query newest(int limit) {
      return new Query(null, null, Long.MIN_VALUE, Long.MAX_VALUE, limit);
    }

    /// Whether it finds a message.
    public boolean finds(Traced message) {
      return message.id() >= since
          && message.id() < before
          && (chosen == null || chosen.equals(message.chosen()))
          && (address == null || is(address, message.sender()) || is(address, message.receiver()));
    }

    private static boolean is(Jid bare, @Nullable Jid address) {
      return address != null && address.bare().equals(bare);
    }
  }

  /// Adds messages and steps.
  void append(List<Traced> messages, List<Step> steps);

  /// Messages that a search finds, in the order of their ids, the newest first. Fewer than its
  /// limit only if there are no more.
  List<Traced> find(Query query);

  /// The entries of the message with that trace, one for each node that has begun to trace it by
  /// itself, the oldest first; empty if there is none.
  List<Traced> messages(long trace);

  /// The steps of a message, the first [#MAX_PAGE], in the order of their times.
  List<Step> steps(long trace);

  /// Erases messages and steps with lower ids, the oldest first.
  ///
  /// @param limit the maximum number of messages, and of steps
  /// @return how many were erased, of what there were more of; fewer than `limit` only if there are
  ///   no more
  int erase(long before, int limit);

  /// Erases all but the newest steps, the oldest first, and messages that are older than these.
  ///
  /// @param newest how many steps stay
  /// @param limit the maximum number of messages, and of steps
  /// @return as [#erase]
  int trim(int newest, int limit);

  /// Erases messages that an address has sent or was sent, with their steps.
  ///
  /// @param limit the maximum number of messages
  /// @return how many messages were erased; fewer than `limit` only if there are no more
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
