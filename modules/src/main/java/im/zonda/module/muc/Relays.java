package im.zonda.module.muc;

import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a room has passed on for someone, until it has been answered (reliability row 80). Bounded
/// in number and time; an answer that nobody waits for is not found here.
final class Relays {
  /// How long an answer is waited for.
  static final long PATIENCE_MILLIS = 60_000;

  private static final int MOST = 1_000;

  /// Of one account, so that nobody takes all.
  private static final int MOST_OF_ONE = 100;

  private @Nullable Map<String, Relay> waiting;

  /// Something that was passed on.
  ///
  /// @param asker the session whose stanza it was
  /// @param id what that session called it; null if it had no name
  /// @param asked whose answer is waited for
  /// @param as the address by which the asker knows who is asked
  /// @param since when, in milliseconds
  record Relay(Jid asker, @Nullable String id, Jid asked, Jid as, long since) {}

  /// Waits for an answer; false if too many are waited for.
  ///
  /// @param id what it is called on its way, which nobody can guess
  boolean begin(String id, Relay relay) {
    Map<String, Relay> all = waiting;
    if (all == null) {
      all = new LinkedHashMap<>();
      waiting = all;
    }
    if (all.size() >= MOST || ofOne(all, relay.asker()) >= MOST_OF_ONE) {
      return false;
    }
    all.put(id, relay);
    return true;
  }

  private static int ofOne(Map<String, Relay> all, Jid asker) {
    if (all.size() < MOST_OF_ONE) {
      return 0;
    }
    Jid user = asker.bare();
    int own = 0;
    for (Relay relay : all.values()) {
      own += relay.asker().bare().equals(user) ? 1 : 0;
    }
    return own;
  }

  /// What `from` answers by a stanza of that id, or null; it is answered from now on.
  @Nullable Relay end(@Nullable String id, Jid from) {
    Map<String, Relay> all = waiting;
    Relay relay = all == null || id == null ? null : all.get(id);
    if (all == null || relay == null || !relay.asked().equals(from)) {
      return null;
    }
    all.remove(id);
    return relay;
  }

  /// Those whose time is over; they are not waited for any more.
  List<Relay> overdue(long nowMillis) {
    Map<String, Relay> all = waiting;
    List<Relay> late = new ArrayList<>();
    if (all != null) {
      all.values()
          .removeIf(relay -> {
            boolean over = nowMillis - relay.since() >= PATIENCE_MILLIS;
            if (over) {
              late.add(relay);
            }
            return over;
          });
    }
    return late;
  }

  boolean isEmpty() {
    return waiting == null || waiting.isEmpty();
  }
}
