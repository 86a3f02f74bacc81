package im.zonda.module.push;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.StoreException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The registrations of one account, in memory while its home is loaded. Confined to the home's
/// mailbox.
final class Registrations {
  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  private final Map<String, PushState> states = new LinkedHashMap<>();
  private final SentToRooms sentToRooms = new SentToRooms();

  /// Reads what the store has.
  static Registrations of(Jid account, Map<String, byte[]> stored) {
    Registrations all = new Registrations();
    for (byte[] value : stored.values()) {
      try {
        all.add(Registration.of(value));
      } catch (StoreException e) {
        // The client enables it again; its account must not be unusable until then.
        LOG.atError().addKeyValue("account", account).setCause(e).log("push_registration_damaged");
      }
    }
    return all;
  }

  boolean isEmpty() {
    return states.isEmpty();
  }

  int size() {
    return states.size();
  }

  Collection<PushState> all() {
    return states.values();
  }

  /// The one with that key, or null.
  @Nullable PushState get(String key) {
    return states.get(key);
  }

  /// Adds a registration, or replaces the one of the same service and node.
  PushState add(Registration registration) {
    PushState state = states.get(registration.key());
    if (state == null) {
      state = new PushState(registration);
      states.put(registration.key(), state);
    } else {
      state.registration(registration);
    }
    return state;
  }

  /// Removes a registration; false if there is none.
  boolean remove(String key) {
    PushState state = states.remove(key);
    if (state != null) {
      state.reset();
    }
    return state != null;
  }

  /// The one whose notification was sent with that identifier to that address and has not been
  /// answered, or null.
  @Nullable PushState awaiting(String id, @Nullable Jid from) {
    for (PushState state : states.values()) {
      if (id.equals(state.sentId()) && state.registration().service().equals(from)) {
        return state;
      }
    }
    return null;
  }

  /// The account has sent a message to a room.
  void noteSent(Message message) {
    if (!states.isEmpty()) {
      sentToRooms.add(message.to(), message.id());
    }
  }

  /// Whether a room returns a message that the account has sent.
  boolean isOwn(Message message) {
    return message.type() == Message.Type.GROUPCHAT
        && sentToRooms.contains(message.from(), message.id());
  }

  /// The last groupchat messages that the account has sent: a ring of hashes, allocated with the
  /// first. A wrong match costs one notification.
  private static final class SentToRooms {
    private static final int CAPACITY = 32;

    private long @Nullable [] digests;
    private int next;

    void add(@Nullable Jid room, @Nullable String id) {
      if (room == null || id == null) {
        return;
      }
      if (digests == null) {
        digests = new long[CAPACITY];
      }
      digests[next] = digest(room, id);
      next = (next + 1) % CAPACITY;
    }

    boolean contains(@Nullable Jid room, @Nullable String id) {
      if (room == null || id == null || digests == null) {
        return false;
      }
      long wanted = digest(room, id);
      for (long digest : digests) {
        if (digest == wanted) {
          return true;
        }
      }
      return false;
    }

    private static long digest(Jid room, String id) {
      return ((long) room.bare().hashCode() << 32) ^ (id.hashCode() & 0xFFFF_FFFFL);
    }
  }
}
