package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import org.jspecify.annotations.Nullable;

/// One session of an occupant. It is known by its full address alone, so that it keeps its seat
/// whatever stream it has (XEP-0198).
final class Seat {
  /// A session besides its presence: the seat, the occupant, addresses and the entries of maps.
  private static final int COST = 1_024;

  private final Jid session;
  private @Nullable Budget messages;
  private @Nullable Budget changes;
  private @Nullable Budget requests;
  private @Nullable Presence shown;
  private RoomMemory.@Nullable Charge cost;

  Seat(Jid session) {
    this.session = session;
  }

  /// The full address.
  Jid session() {
    return session;
  }

  /// The last presence, in the form in which most occupants are told of it.
  @Nullable Presence shown() {
    return shown;
  }

  void shown(Presence presence) {
    shown = presence;
    if (cost != null) {
      cost.force(cost(presence));
    }
  }

  /// What a session costs that shows that presence.
  static long cost(Presence presence) {
    return (long) COST + presence.writtenSize();
  }

  /// Charges this for the session from now on.
  void charge(RoomMemory.Charge newCost) {
    cost = newCost;
  }

  /// Charges for a presence that it will show; false if the account may not use so much.
  boolean reserve(Presence presence) {
    return cost == null || cost.resize(cost(presence));
  }

  /// The session is no longer in the room.
  void left() {
    if (cost != null) {
      cost.end();
      cost = null;
    }
  }

  /// Counts what it says. Most only listen.
  Budget messages() {
    Budget made = messages;
    if (made == null) {
      made = new Budget();
      messages = made;
    }
    return made;
  }

  /// Counts its changes of presence and nickname.
  Budget changes() {
    Budget made = changes;
    if (made == null) {
      made = new Budget();
      changes = made;
    }
    return made;
  }

  /// Counts its requests for voice.
  Budget requests() {
    Budget made = requests;
    if (made == null) {
      made = new Budget();
      requests = made;
    }
    return made;
  }

  /// What may be spent in ten seconds.
  static final class Budget {
    private static final long WINDOW_MILLIS = 10_000;
    private static final int ABUSE = 10;
    private static final long MOST_DELAY_MILLIS = 1_000;

    /// Too much: nothing is spent.
    static final long REFUSED = -1;

    private long since;
    private int spent;

    // When all that was spent by [#pace] would have come, had it come at the rate that is allowed.
    private long paidUntil;

    /// Whether nothing of it counts any more.
    boolean isOver(long nowMillis) {
      return nowMillis - since >= WINDOW_MILLIS && paidUntil <= nowMillis;
    }

    /// Spends one, also where more is spent than may be: then the sender is to be delayed by so
    /// many milliseconds, and so comes down to the rate. What has come at ten times the rate is
    /// refused.
    ///
    /// @param most what may be spent in a window, at once or one by one; 0 is no limit
    /// @return milliseconds, 0 within the limit, or [#REFUSED]
    long pace(long nowMillis, int most) {
      if (most == 0) {
        return 0;
      }
      long paid = Math.max(paidUntil, nowMillis) + Math.max(1, WINDOW_MILLIS / most);
      long late = paid - nowMillis - WINDOW_MILLIS;
      if (late > (ABUSE - 1) * WINDOW_MILLIS) {
        return REFUSED;
      }
      paidUntil = paid;
      return Math.clamp(late, 0, MOST_DELAY_MILLIS);
    }

    /// Spends one; false if all that may be is spent.
    ///
    /// @param most what may be spent in a window; 0 is no limit
    boolean spend(long nowMillis, int most) {
      if (most == 0) {
        return true;
      }
      if (nowMillis - since >= WINDOW_MILLIS) {
        since = nowMillis;
        spent = 0;
      }
      if (spent >= most) {
        return false;
      }
      spent++;
      return true;
    }
  }
}
