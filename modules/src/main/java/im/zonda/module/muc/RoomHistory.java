package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The last messages of a room, for those who enter (XEP-0045, section 7.2.13). Bounded in messages
/// and bytes.
final class RoomHistory {
  private static final long MOST_BYTES = 1_048_576;

  private record Remembered(long id, Message message, int size) {}

  private final Jid room;
  private final Deque<Remembered> messages = new ArrayDeque<>(4);
  private int most;
  private long bytes;

  /// @param most the most messages
  RoomHistory(Jid room, int most) {
    this.room = room;
    this.most = most;
  }

  /// Remembers at most so many messages from now on.
  void limit(int newMost) {
    most = newMost;
    trim();
  }

  /// Remembers a message; `id` is its place in the log and its time.
  void add(long id, Message message) {
    if (most == 0) {
      return;
    }
    int size = message.writtenSize();
    messages.add(new Remembered(id, message, size));
    bytes += size;
    trim();
  }

  private void trim() {
    while (messages.size() > most || (bytes > MOST_BYTES && !messages.isEmpty())) {
      bytes -= messages.remove().size();
    }
  }

  /// The message of that id, or null.
  @Nullable Message find(long id) {
    for (Remembered one : messages) {
      if (one.id() == id) {
        return one.message();
      }
    }
    return null;
  }

  /// Puts another message in the place of one that is remembered.
  void replace(long id, UnaryOperator<Message> change) {
    List<Remembered> all = List.copyOf(messages);
    messages.clear();
    bytes = 0;
    for (Remembered one : all) {
      add(one.id(), one.id() == id ? change.apply(one.message()) : one.message());
    }
  }

  /// What someone who enters is told, oldest first, each with the time at which it was said.
  List<Message> select(HistoryRequest wanted) {
    List<Message> chosen = new ArrayList<>();
    long chars = 0;
    Iterator<Remembered> newestFirst = messages.descendingIterator();
    while (newestFirst.hasNext() && chosen.size() < wanted.maxStanzas()) {
      Remembered one = newestFirst.next();
      Instant time = MessageLog.timeOf(one.id());
      if (wanted.since() != null && time.isBefore(wanted.since())) {
        break;
      }
      Message late = one.message().withPayload(MucNames.DELAY, delay(time));
      chars += late.writtenSize();
      if (chars > wanted.maxChars()) {
        break;
      }
      chosen.add(late);
    }
    return chosen.reversed();
  }

  /// The room's address holds nothing that XML would have escaped (RFC 7622, section 3.3.1).
  private byte[] delay(Instant time) {
    String delay =
        "<delay xmlns='urn:xmpp:delay' from='" + room + "' stamp='" + Stamp.of(time) + "'/>";
    return delay.getBytes(StandardCharsets.UTF_8);
  }
}
