package im.zonda.cluster.session;

import im.zonda.config.limits.HeapShare;
import im.zonda.link.keeper.KeeperSettings;
import im.zonda.link.keeper.KeptBytes;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// The streams of this node that have a session or have asked for one, at any node. Any thread may
/// call.
public final class Streams {
  /// How long a stream waits while no node has the home of its session.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final long TICK_MILLIS = 1_000;

  /// For how long a confirmed membership of this process is valid. A process that stands still is
  /// evicted only after a longer time, so one that has just woken up asks the database first.
  private static final long CURRENT_MILLIS = 4_000;

  /// Upper bound on the time after the loss of a node until streams at other nodes and at edges
  /// have recovered the sessions of its homes.
  private static final long RECOVERY_MILLIS = 5_000;

  private static final long NEVER = -1;

  private final Set<StreamLink> links = ConcurrentHashMap.newKeySet();
  private final KeeperSettings shared;
  private long ticked;

  /// When a node was last lost.
  private volatile long lostAt = NEVER;

  private volatile boolean closed;

  /// When the database last confirmed that this process is a member; [#NEVER] if it is not asked.
  private volatile long confirmed = NEVER;

  /// @param clock milliseconds of a clock that only goes forward
  public Streams(LongSupplier clock) {
    long most = HeapShare.KEPT_SESSIONS.bound(Long.MAX_VALUE, Runtime.getRuntime().maxMemory());
    this.shared = new KeeperSettings(PATIENCE, new KeptBytes(most), clock, this::isAfterLoss);
    this.ticked = clock.getAsLong();
  }

  KeeperSettings shared() {
    return shared;
  }

  void add(StreamLink link) {
    links.add(link);
    if (closed) {
      end(link);
    }
  }

  void remove(StreamLink link) {
    links.remove(link);
  }

  /// Homes have moved: streams look for the new node of their homes.
  ///
  /// @param killed whether a node is gone
  public void homesMoved(boolean killed) {
    if (killed) {
      lostAt = shared.clock().getAsLong();
    }
    links.forEach(link -> link.keeper().update(killed));
  }

  private boolean isAfterLoss() {
    long last = lostAt;
    return last != NEVER && shared.clock().getAsLong() - last <= RECOVERY_MILLIS;
  }

  /// Homes are open on this node: streams that wait for them ask again.
  public void homesOpened() {
    for (StreamLink link : links) {
      if (link.keeper().isWaiting()) {
        link.keeper().update(false);
      }
    }
  }

  /// The database has confirmed that this process is a member: streams that wait for that ask
  /// again.
  public void confirmed() {
    boolean wasCurrent = isCurrent();
    confirmed = shared.clock().getAsLong();
    if (!wasCurrent) {
      homesOpened();
    }
  }

  /// Whether the membership is certain enough to answer that a session does not exist.
  boolean isCurrent() {
    long last = confirmed;
    return last == NEVER || shared.clock().getAsLong() - last <= CURRENT_MILLIS;
  }

  /// To be called at least once a second, by one thread at a time.
  public void tick() {
    long now = shared.clock().getAsLong();
    if (now - ticked >= TICK_MILLIS) {
      ticked = now;
      links.forEach(link -> link.keeper().tick());
    }
  }

  /// The process was evicted: all streams end.
  public void close() {
    closed = true;
    links.forEach(Streams::end);
  }

  private static void end(StreamLink link) {
    link.keeper().end("this server is no longer a node of the cluster");
  }
}
