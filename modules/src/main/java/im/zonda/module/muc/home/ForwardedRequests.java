package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.MemoryCost;
import im.zonda.module.muc.room.RoomMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stanzas that a room has forwarded for a user and that may still be answered (reliability row
/// 80). Bounded in number and time; an unexpected response is not found here.
public final class ForwardedRequests {
  /// How long to wait for a response.
  public static final long TIMEOUT_MILLIS = 60_000;

  private static final int MAX = 1_000;

  /// The limit per account.
  private static final int MAX_PER_ACCOUNT = 100;

  /// The memory of one entry without its id, in bytes.
  private static final int COST = 512;

  private final RoomMemory memory;
  private @Nullable Map<String, Waiting> waiting;
  private boolean timed;

  private record Waiting(Forwarded forwarded, RoomMemory.Charge cost) {}

  /// @param memory charged for each entry, to the requester
  ForwardedRequests(RoomMemory memory) {
    this.memory = memory;
  }

  /// A forwarded stanza.
  ///
  /// @param requester the session that sent it
  /// @param id the id that the requester gave it, or null
  /// @param recipient who is to respond
  /// @param shownAs the address under which the requester knows the recipient
  /// @param sentAt in milliseconds
  public record Forwarded(
      Jid requester, @Nullable String id, Jid recipient, Jid shownAs, long sentAt) {}

  /// Adds a stanza; returns false if there are too many.
  ///
  /// @param id its id on the way to the recipient, which cannot be guessed
  public boolean add(String id, Forwarded forwarded) {
    Map<String, Waiting> all = waiting;
    if (all == null) {
      all = new LinkedHashMap<>();
      waiting = all;
    }
    RoomMemory.Charge cost = memory.charge(forwarded.requester().bare());
    if (all.size() >= MAX
        || countOf(all, forwarded.requester()) >= MAX_PER_ACCOUNT
        || !cost.resize(COST + MemoryCost.ofText(forwarded.id()))) {
      return false;
    }
    all.put(id, new Waiting(forwarded, cost));
    return true;
  }

  private static int countOf(Map<String, Waiting> all, Jid requester) {
    if (all.size() < MAX_PER_ACCOUNT) {
      return 0;
    }
    Jid user = requester.bare();
    int own = 0;
    for (Waiting one : all.values()) {
      own += one.forwarded().requester().bare().equals(user) ? 1 : 0;
    }
    return own;
  }

  /// Removes and returns the stanza that `from` responds to; null if there is none.
  public @Nullable Forwarded remove(@Nullable String id, Jid from) {
    Map<String, Waiting> all = waiting;
    Waiting one = all == null || id == null ? null : all.get(id);
    if (all == null || one == null || !one.forwarded().recipient().equals(from)) {
      return null;
    }
    all.remove(id);
    one.cost().release();
    return one.forwarded();
  }

  /// Removes and returns the stanzas that have timed out.
  public List<Forwarded> removeExpired(long nowMillis) {
    Map<String, Waiting> all = waiting;
    List<Forwarded> late = new ArrayList<>();
    if (all != null) {
      all.values()
          .removeIf(one -> {
            boolean over = nowMillis - one.forwarded().sentAt() >= TIMEOUT_MILLIS;
            if (over) {
              one.cost().release();
              late.add(one.forwarded());
            }
            return over;
          });
    }
    return late;
  }

  /// Removes all stanzas.
  void clear() {
    if (waiting != null) {
      waiting.values().forEach(one -> one.cost().release());
      waiting = null;
    }
  }

  /// Whether the caller must start the timer: true if there are stanzas and no timer runs.
  public boolean tryStartTimer() {
    boolean start = !timed && waiting != null && !waiting.isEmpty();
    timed |= start;
    return start;
  }

  /// The timer has fired.
  public void timerStopped() {
    timed = false;
  }
}
