package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import java.util.HashMap;
import java.util.Map;

/// The memory that all sessions of a host take for their presence and for the addresses they have
/// sent directed presence to.
///
/// What an ordinary session needs is not counted. Of the rest an account may use a quarter of what
/// the others leave free: many large ones get less and less, and nobody's presence of ordinary size
/// is ever rejected. Thread-safe.
final class PresenceMemory {
  /// Bytes of one session that are not counted.
  static final int FREE_BYTES = 4_096;

  private static final int SHARE = 4;

  private final SessionKey<Long> key = new SessionKey<>("presence-bytes", Long.class);
  private final long most;

  // Guarded by this object's monitor.
  private final Map<Jid, Long> byAccount = new HashMap<>();
  private long used;

  /// @param most the most bytes of all sessions
  PresenceMemory(long most) {
    this.most = most;
  }

  /// Counts what a session takes now instead of what it took before; false, and nothing is changed,
  /// if that is too much more.
  boolean count(Home home, Session session, long bytes) {
    Long counted = session.get(key);
    long before = counted == null ? 0 : counted;
    long after = Math.max(0, bytes - FREE_BYTES);
    if (before == after) {
      return true;
    }
    synchronized (this) {
      long account = byAccount.getOrDefault(home.jid(), 0L);
      long others = used - account;
      long next = account - before + after;
      if (after > before && next > (most - others) / SHARE) {
        return false;
      }
      used += after - before;
      if (next == 0) {
        byAccount.remove(home.jid());
      } else {
        byAccount.put(home.jid(), next);
      }
    }
    session.set(key, after == 0 ? null : after);
    return true;
  }

  /// The bytes that are counted.
  synchronized long used() {
    return used;
  }
}
