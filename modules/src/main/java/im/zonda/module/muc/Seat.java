package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import org.jspecify.annotations.Nullable;

/// One session of an occupant. It is known by its full address alone, so that it keeps its seat
/// whatever stream it has (XEP-0198).
final class Seat {
  private final Jid session;
  private @Nullable Budget messages;
  private @Nullable Budget changes;
  private @Nullable Budget requests;
  private @Nullable Presence shown;

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
    private long since;
    private int spent;

    /// Whether nothing of it counts any more.
    boolean isOver(long nowMillis) {
      return nowMillis - since >= WINDOW_MILLIS;
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
