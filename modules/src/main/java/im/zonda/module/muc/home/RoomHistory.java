package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.HistoryMemory.Remembered;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Stamp;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The last messages of a room, for those who enter (XEP-0045, section 7.2.13). Bounded in messages
/// and bytes, and by the memory that all rooms share.
public final class RoomHistory {
  private final Jid room;
  private final HistoryMemory memory;
  private final HistoryMemory.OfRoom messages = new HistoryMemory.OfRoom();
  private int most;

  /// @param most the most messages
  RoomHistory(Jid room, HistoryMemory memory, int most) {
    this.room = room;
    this.memory = memory;
    this.most = most;
  }

  /// Remembers at most so many messages from now on.
  public void limit(int newMost) {
    most = newMost;
    memory.trim(messages, newMost);
  }

  /// Remembers a message.
  ///
  /// @param author the bare address of the user whose message it is
  /// @param id its place in the log and its time
  public void add(Jid author, long id, Message message) {
    if (most > 0) {
      memory.add(messages, most, author, id, message);
    }
  }

  /// Remembers a message that is older than all others; false if there is no room for it.
  boolean addOldest(Jid author, long id, Message message) {
    return memory.addOldest(messages, most, author, id, message);
  }

  /// Forgets all messages: the room is no longer in memory.
  void clear() {
    memory.trim(messages, 0);
  }

  /// The message of that id, or null.
  public @Nullable Message find(long id) {
    return memory.message(messages, id);
  }

  /// Puts another message in the place of one that is remembered.
  public void replace(long id, UnaryOperator<Message> change) {
    Message old = find(id);
    if (old != null) {
      memory.replace(messages, id, change.apply(old));
    }
  }

  /// What someone who enters is sent, oldest first, each with the time at which it was sent.
  public List<Message> select(HistoryRequest wanted) {
    List<Message> chosen = new ArrayList<>();
    long chars = 0;
    for (Remembered one : memory.newestFirst(messages, wanted.maxStanzas())) {
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
