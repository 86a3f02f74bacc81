package im.zonda.storage.sql.log;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// Issues the ids of the message log: microseconds since 1970, strictly increasing.
///
/// To keep this when the clock is set back across a restart, the database records a bound above all
/// issued ids. The bound is raised before it is reached; after a crash, ids continue from it.
///
/// Nodes that share a log issue different ids without talking to each other: a node takes every
/// `nodes`-th microsecond, those whose remainder is its number. Thread-safe.
public final class IdClock {
  /// Distance of a new bound from the last id, in microseconds.
  private static final long AHEAD = 2_000_000;

  private final InstantSource time;
  private final int node;
  private final int nodes;
  private final AtomicLong last;
  private volatile long bound;

  /// Creates the clock of a server that alone writes its log. Its first id is at least `next`.
  public IdClock(InstantSource time, long next) {
    this(time, next, 0, 1);
  }

  /// Creates the clock of one of several nodes. Its first id is at least `next`.
  ///
  /// A node has 1,000,000 / `nodes` ids a second. If it needs more, its ids run ahead of the time.
  ///
  /// @param node the node's number, from 0
  /// @param nodes how many numbers there are: the same on all nodes, and never changed while two
  ///   nodes run
  public IdClock(InstantSource time, long next, int node, int nodes) {
    if (node < 0 || node >= nodes) {
      throw new IllegalArgumentException("node " + node + " of " + nodes);
    }
    this.time = time;
    this.node = node;
    this.nodes = nodes;
    this.last = new AtomicLong(next - 1);
    this.bound = next;
  }

  /// The next id.
  public long next() {
    long now = now();
    return last.updateAndGet(before -> own(Math.max(before + 1, now)));
  }

  /// The node's first id that is not below `id`.
  private long own(long id) {
    return nodes == 1 ? id : id + Math.floorMod(node - id, nodes);
  }

  /// Whether other nodes issue ids of the same log.
  boolean isShared() {
    return nodes > 1;
  }

  /// The time in microseconds since 1970.
  public long now() {
    return micros(time.instant());
  }

  /// Makes all further ids larger than `id`. The new home of an owner calls it with the owner's
  /// last id, which another node may have issued, so that the owner's ids keep growing.
  void raiseAbove(long id) {
    last.accumulateAndGet(id, Math::max);
  }

  /// Whether the bound should be raised soon.
  boolean lowAfter(long id) {
    return id > bound - AHEAD / 2;
  }

  /// Whether the bound should be raised soon.
  boolean low() {
    return lowAfter(last.get());
  }

  /// A bound for the database to record. [#reserved] follows when it is durable.
  long wanted() {
    return last.get() + AHEAD;
  }

  /// A bound above the recorded one. Recording it without [#reserved] after it does no harm.
  long beyond() {
    return Math.max(wanted(), bound + 1);
  }

  /// The exact bound, for a clean stop.
  long exact() {
    return last.get() + 1;
  }

  /// The database knows this bound.
  void reserved(long newBound) {
    bound = newBound;
  }

  /// A time in microseconds since 1970.
  public static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
