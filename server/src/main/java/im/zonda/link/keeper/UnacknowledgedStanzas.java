package im.zonda.link.keeper;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.ack.AckQueue;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StanzaIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The stanzas that a client was sent and has not acknowledged (XEP-0198), a part of the snapshot
/// from which its session is recovered. Bounded by the limit of unacknowledged stanzas of a
/// session, and by a limit for all clients of this process: above that the stanzas of this session
/// are discarded, and it cannot be recovered until its client has acknowledged all. Not
/// thread-safe.
final class UnacknowledgedStanzas {
  /// What one client may have while all together have too much, in bytes.
  private static final long FEW = 16_384;

  /// The most rooms whose last messages are known.
  private static final int MOST_ROOMS = 1_000;

  /// What a stanza costs beside its bytes.
  private static final int OVERHEAD = 96;

  private static final class Entry extends AckQueue.Entry<Entry> {
    private final Stanza stanza;
    private final int bytes;
    private final long time;

    private Entry(Stanza stanza, long time) {
      this.stanza = stanza;
      this.bytes = stanza.writtenSize() + OVERHEAD;
      this.time = time;
    }
  }

  private final AckQueue<Entry> queue;
  private final KeptBytes all;
  private final Jid account;
  private long bytes;
  private boolean givenUp;

  /// The last id of the account's log, and of each room.
  private @Nullable String lastId;

  private Map<Jid, String> ofRooms = Map.of();

  /// @param acknowledged how many have been sent and acknowledged already
  UnacknowledgedStanzas(Jid account, long acknowledged, KeptBytes all) {
    this.account = account;
    this.queue = new AckQueue<>(acknowledged);
    this.all = all;
  }

  /// The next stanza is sent.
  void add(Stanza stanza, long time) {
    Entry entry = new Entry(stanza, time);
    queue.add(entry);
    count(entry.bytes);
    if (all.isTooMuch() && bytes > FEW) {
      givenUp = true;
    }
    if (givenUp) {
      removeUpTo(queue.sent());
    }
  }

  private void count(long more) {
    bytes += more;
    all.add(more);
  }

  /// Notes the stanza's id if it is a message of the account's log or of a room.
  private void noteId(Stanza stanza) {
    if (!(stanza instanceof Message message)) {
      return;
    }
    Jid from = message.from();
    Jid room = message.type() == Message.Type.GROUPCHAT && from != null ? from.bare() : null;
    String id = StanzaIds.assigned(message, room == null ? account : room);
    if (id == null) {
      return;
    }
    if (room == null) {
      lastId = id;
    } else if (ofRooms.size() < MOST_ROOMS || ofRooms.containsKey(room)) {
      if (ofRooms.isEmpty()) {
        ofRooms = new HashMap<>(2);
      }
      ofRooms.put(room, id);
    }
  }

  /// The client has acknowledged `h` stanzas.
  void acknowledge(long h) {
    removeUpTo(h);
    if (h >= queue.sent()) {
      givenUp = false;
    }
  }

  private void removeUpTo(long number) {
    for (Entry first = queue.poll(number); first != null; first = queue.poll(number)) {
      count(-first.bytes);
      noteId(first.stanza);
    }
  }

  /// Whether none was discarded.
  boolean isComplete() {
    return !givenUp;
  }

  /// The last ids ([LostSession#lastIds]).
  Map<Jid, String> lastIds() {
    Map<Jid, String> ids = new HashMap<>(ofRooms);
    if (lastId != null) {
      ids.put(account, lastId);
    }
    return ids;
  }

  /// Those that are not acknowledged, oldest first.
  List<LostSession.Sent> list(long now) {
    List<LostSession.Sent> list = new ArrayList<>(queue.size());
    for (Entry each : queue) {
      list.add(new LostSession.Sent(each.stanza, Duration.ofMillis(Math.max(0, now - each.time))));
    }
    return list;
  }

  /// Forgets all.
  void clear() {
    queue.drain();
    count(-bytes);
  }
}
