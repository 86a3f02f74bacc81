package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import java.util.HashMap;
import java.util.Map;

/// Bounds the memory that the sessions of a host use for their presence and for the addresses to
/// which they have sent directed presence.
///
/// The first [#FREE_BYTES] of a session are not counted. Of the rest an account may use a quarter
/// of what the others leave free, so that presence of ordinary size is never rejected. Thread-safe.
final class PresenceMemory {
  /// Bytes per session that are not counted.
  static final int FREE_BYTES = 4_096;

  private static final int SHARE = 4;

  private final SessionKey<Long> key = new SessionKey<>("presence-bytes", Long.class);

  // Guarded by this object's monitor.
  private final Map<Jid, Long> byAccount = new HashMap<>();
  private long used;
  private long most;

  /// @param most the maximum for all sessions, in bytes
  PresenceMemory(long most) {
    this.most = most;
  }

  /// Updates the bytes that a session uses; false without a change if the increase exceeds the
  /// limit.
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

  /// Changes the maximum.
  synchronized void resize(long newMost) {
    most = newMost;
  }

  /// The bytes that are counted.
  synchronized long used() {
    return used;
  }
}
