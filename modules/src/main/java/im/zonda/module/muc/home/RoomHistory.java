package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.HistoryMemory.HistoryEntry;
import im.zonda.module.muc.room.DateTimes;
import im.zonda.module.muc.room.MucNames;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The latest messages of a room, which users receive when they enter (XEP-0045, section 7.2.13).
/// Bounded in messages and bytes, and by the memory shared by all rooms.
public final class RoomHistory {
  private final Jid room;
  private final HistoryMemory memory;
  private final HistoryMemory.RoomMessages messages = new HistoryMemory.RoomMessages();
  private int most;

  /// @param most the maximum number of messages
  RoomHistory(Jid room, HistoryMemory memory, int most) {
    this.room = room;
    this.memory = memory;
    this.most = most;
  }

  /// Sets the maximum number of messages.
  public void setLimit(int newMost) {
    most = newMost;
    memory.trim(messages, newMost);
  }

  /// Adds a message.
  ///
  /// @param author the bare address of the author
  /// @param id its id in the log, which contains its time
  public void add(Jid author, long id, Message message) {
    if (most > 0) {
      memory.add(messages, most, author, id, message);
    }
  }

  /// Adds a message that is older than all others; returns false if there is no space for it.
  boolean addOldest(Jid author, long id, Message message) {
    return memory.addOldest(messages, most, author, id, message);
  }

  /// Removes the messages whose ids are lower.
  public void removeBefore(long id) {
    memory.removeBefore(messages, id);
  }

  /// Removes all messages when the room is unloaded.
  void clear() {
    memory.trim(messages, 0);
  }

  /// Finds a message by its id; null if it is not here.
  public @Nullable Message find(long id) {
    return memory.message(messages, id);
  }

  /// Replaces a message, if it is here.
  public void replace(long id, UnaryOperator<Message> change) {
    Message old = find(id);
    if (old != null) {
      memory.replace(messages, id, change.apply(old));
    }
  }

  /// Replaces the messages of an author with lower ids.
  public void replaceOf(Jid author, long before, UnaryOperator<Message> change) {
    memory.replaceOf(messages, author, before, change);
  }

  /// The messages for a user who enters.
  ///
  /// @param from the id of the first; [Long#MAX_VALUE] if there is none
  /// @param messages oldest first, each with its time
  public record Selection(long from, List<Message> messages) {}

  /// Selects the messages for a user who enters.
  public Selection select(HistoryRequest wanted) {
    List<Message> chosen = new ArrayList<>();
    long from = Long.MAX_VALUE;
    long chars = 0;
    for (HistoryEntry one : memory.newestFirst(messages, wanted.maxStanzas())) {
      Instant time = MessageLog.timeOf(one.id());
      if (wanted.since() != null && time.isBefore(wanted.since())) {
        break;
      }
      Message late = late(one);
      chars += late.writtenSize();
      if (chars > wanted.maxChars()) {
        break;
      }
      chosen.add(late);
      from = one.id();
    }
    return new Selection(from, chosen.reversed());
  }

  /// The messages whose ids are at least `from` and below `end`, as in [#select].
  public List<Message> between(long from, long end) {
    return memory.newestFirst(messages, Integer.MAX_VALUE).reversed().stream()
        .filter(one -> one.id() >= from && one.id() < end)
        .map(this::late)
        .toList();
  }

  private Message late(HistoryEntry one) {
    return one.message().withPayload(MucNames.DELAY, delay(MessageLog.timeOf(one.id())));
  }

  /// An address contains nothing that needs escaping in XML (RFC 7622, section 3.3.1).
  private byte[] delay(Instant time) {
    String delay =
        "<delay xmlns='urn:xmpp:delay' from='" + room + "' stamp='" + DateTimes.of(time) + "'/>";
    return delay.getBytes(StandardCharsets.UTF_8);
  }
}
