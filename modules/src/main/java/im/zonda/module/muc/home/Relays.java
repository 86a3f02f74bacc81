package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.MemoryCost;
import im.zonda.module.muc.room.RoomMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a room has passed on for someone, until it has been answered (reliability row 80). Bounded
/// in number and time; an answer that nobody waits for is not found here.
public final class Relays {
  /// How long an answer is waited for.
  public static final long PATIENCE_MILLIS = 60_000;

  private static final int MOST = 1_000;

  /// Of one account, so that nobody takes all.
  private static final int MOST_OF_ONE = 100;

  /// What one costs besides its names.
  private static final int COST = 512;

  private final RoomMemory memory;
  private @Nullable Map<String, Waiting> waiting;
  private boolean timed;

  private record Waiting(Relay relay, RoomMemory.Charge cost) {}

  /// @param memory charged for what is remembered, to who asks
  Relays(RoomMemory memory) {
    this.memory = memory;
  }

  /// Something that was passed on.
  ///
  /// @param asker the session whose stanza it was
  /// @param id what that session called it; null if it had no name
  /// @param asked whose answer is waited for
  /// @param as the address by which the asker knows who is asked
  /// @param since when, in milliseconds
  public record Relay(Jid asker, @Nullable String id, Jid asked, Jid as, long since) {}

  /// Waits for an answer; false if too many are waited for.
  ///
  /// @param id what it is called on its way, which nobody can guess
  public boolean begin(String id, Relay relay) {
    Map<String, Waiting> all = waiting;
    if (all == null) {
      all = new LinkedHashMap<>();
      waiting = all;
    }
    RoomMemory.Charge cost = memory.charge(relay.asker().bare());
    if (all.size() >= MOST
        || ofOne(all, relay.asker()) >= MOST_OF_ONE
        || !cost.resize(COST + MemoryCost.ofText(relay.id()))) {
      return false;
    }
    all.put(id, new Waiting(relay, cost));
    return true;
  }

  private static int ofOne(Map<String, Waiting> all, Jid asker) {
    if (all.size() < MOST_OF_ONE) {
      return 0;
    }
    Jid user = asker.bare();
    int own = 0;
    for (Waiting one : all.values()) {
      own += one.relay().asker().bare().equals(user) ? 1 : 0;
    }
    return own;
  }

  /// What `from` answers by a stanza of that id, or null; it is answered from now on.
  public @Nullable Relay end(@Nullable String id, Jid from) {
    Map<String, Waiting> all = waiting;
    Waiting one = all == null || id == null ? null : all.get(id);
    if (all == null || one == null || !one.relay().asked().equals(from)) {
      return null;
    }
    all.remove(id);
    one.cost().end();
    return one.relay();
  }

  /// Those whose time is over; they are not waited for any more.
  public List<Relay> overdue(long nowMillis) {
    Map<String, Waiting> all = waiting;
    List<Relay> late = new ArrayList<>();
    if (all != null) {
      all.values()
          .removeIf(one -> {
            boolean over = nowMillis - one.relay().since() >= PATIENCE_MILLIS;
            if (over) {
              one.cost().end();
              late.add(one.relay());
            }
            return over;
          });
    }
    return late;
  }

  /// Nothing is waited for any more.
  void end() {
    if (waiting != null) {
      waiting.values().forEach(one -> one.cost().end());
      waiting = null;
    }
  }

  /// Whether a timer is to be started, as something waits and none runs; the caller starts it.
  public boolean startTimer() {
    boolean start = !timed && waiting != null && !waiting.isEmpty();
    timed |= start;
    return start;
  }

  /// The timer has run.
  public void timerEnded() {
    timed = false;
  }
}
