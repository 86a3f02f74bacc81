package im.zonda.home.session;

import im.zonda.config.limits.HeapShare;
import im.zonda.config.limits.Limits;
import im.zonda.home.SlowReceivers;
import im.zonda.jid.Jid;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bounds on the stanzas that are kept for clients: those that a client has not acknowledged
/// (XEP-0198), and those held back until a stream is attached or the client is active again.
///
/// One session has a bound of its own, by its [Share]. All sessions together have a soft bound:
/// when it is exceeded, [SharedBound] ends sessions of the accounts that use most of it. Until then
/// stanzas are still accepted, so that a session that uses little never pays for one that uses
/// much.
///
/// @param <S> the sessions
public final class Budget<S extends Budget.Member> {
  private static final Logger log = LoggerFactory.getLogger(Budget.class);

  /// A session that can be ended to stay within the bound.
  public interface Member {
    Jid jid();

    /// The phase that it is in.
    SessionPhase phase();

    /// Whether it has no stream at present (XEP-0198).
    default boolean isDetached() {
      return phase().link() == null;
    }
  }

  private final InstantSource clock;
  private final int stanzas;
  private final int bytes;
  private final long total;
  private final long most;
  private final AtomicLong taken = new AtomicLong();
  private final Set<S> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger detached = new AtomicInteger();
  private final SlowReceivers slow = new SlowReceivers(System::nanoTime);
  private volatile Runnable exceeded = () -> {};

  /// @param heap the most bytes that the process may have; a share of it bounds all sessions
  /// @param clock gives the times at which stanzas are sent
  public Budget(Limits limits, long heap, InstantSource clock) {
    this.clock = clock;
    stanzas = limits.unacknowledgedStanzas();
    bytes = limits.unacknowledgedBytes();
    total = HeapShare.UNACKNOWLEDGED.bound(limits.allUnacknowledgedBytes(), heap);
    most = total + total / 8;
    if (total < limits.allUnacknowledgedBytes()) {
      log.atInfo()
          .addKeyValue("allowed", limits.allUnacknowledgedBytes())
          .addKeyValue("used", total)
          .log("unacknowledged_bounded_by_heap");
    }
  }

  /// Has `action` run whenever the bound of all sessions is exceeded, for each stanza. It is called
  /// in the middle of a session's work, so it must only ask another thread to do something.
  public void whenExceeded(Runnable action) {
    exceeded = action;
  }

  /// Counts a session that can be ended to stay within the bound, until [#remove].
  public void add(S session) {
    if (sessions.add(session) && session.isDetached()) {
      detached.incrementAndGet();
    }
  }

  /// The session has ended.
  public void remove(S session) {
    if (sessions.remove(session) && session.isDetached()) {
      detached.decrementAndGet();
    }
  }

  /// A session has lost its stream, or has got one. To be called at its home.
  void changed(Member session) {
    if (sessions.contains(session)) {
      detached.addAndGet(session.isDetached() ? 1 : -1);
    }
  }

  /// How many of the sessions have no stream.
  public int detached() {
    return detached.get();
  }

  /// The sessions that have not ended. A view, safe to read by any thread.
  public Collection<S> sessions() {
    return sessions;
  }

  /// The sessions whose clients acknowledge late.
  public SlowReceivers slow() {
    return slow;
  }

  /// The time, in ms since 1970.
  long now() {
    return clock.millis();
  }

  /// The most stanzas of one session.
  public int stanzas() {
    return stanzas;
  }

  /// The most bytes of one session.
  public int bytes() {
    return bytes;
  }

  /// Takes `size` bytes of the bound that all sessions share. False if they are not available,
  /// which is possible only for a session that uses more than an equal share. All sessions together
  /// stay below the bound and a quarter of it, even if nothing is freed.
  ///
  /// @param own what the session has taken already
  public boolean take(int size, int own) {
    long now = taken.addAndGet(size);
    if (now <= total) {
      return true;
    }
    exceeded.run();
    if (now <= most || (long) own + size <= most / Math.max(1, sessions.size())) {
      return true;
    }
    taken.addAndGet(-size);
    return false;
  }

  /// Gives them back.
  public void give(int size) {
    taken.addAndGet(-size);
  }

  /// The bytes that are taken.
  public long taken() {
    return taken.get();
  }

  /// How many bytes must be freed when the bound has been exceeded: down to seven eighths of it, so
  /// that the next stanzas do not exceed it again. Not positive if it is not exceeded.
  public long excess() {
    long now = taken.get();
    return now <= total ? 0 : now - total + total / 8;
  }
}
