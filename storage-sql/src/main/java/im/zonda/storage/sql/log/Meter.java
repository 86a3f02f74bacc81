package im.zonda.storage.sql.log;

import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts what the writer does. Written by the writer thread, read by anyone.
public final class Meter {
  private record Outage(Instant since, StoreException cause) {}

  private final InstantSource time;
  private final LongAdder commits = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder damaged = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private volatile long maxNanos;
  private volatile @Nullable Instant lastCommit;
  private volatile @Nullable Outage outage;
  private volatile StoreState state = StoreState.STORING;

  public Meter(InstantSource time) {
    this.time = time;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void committed(int size, long took) {
    commits.increment();
    entries.add(size);
    nanos.add(took);
    if (took > maxNanos) {
      maxNanos = took;
    }
    lastCommit = time.instant();
  }

  void failed() {
    failures.increment();
  }

  void lost() {
    lost.increment();
  }

  void damaged() {
    damaged.increment();
  }

  /// The database cannot store anything, or nothing more if `stopped`; true if it could until now.
  boolean outage(StoreException cause, boolean stopped) {
    Outage before = outage;
    Instant since = before == null ? time.instant() : before.since;
    outage = new Outage(since, cause);
    StoreState.Kind kind = stopped ? StoreState.Kind.STOPPED : StoreState.Kind.FAILING;
    state = new StoreState(kind, since, cause.category());
    return before == null;
  }

  /// Whether the database stores.
  StoreState state() {
    return state;
  }

  /// Why nothing can be stored.
  StoreException outageCause() {
    return Objects.requireNonNull(outage).cause;
  }

  /// The database stores again; true if it did not until now.
  boolean recovered() {
    boolean failing = outage != null;
    outage = null;
    state = StoreState.STORING;
    return failing;
  }

  public StoreHealth health(long queuedBytes) {
    Outage now = outage;
    long count = commits.sum();
    return new StoreHealth(
        now == null ? null : now.since,
        now == null ? null : now.cause.category(),
        now == null ? null : now.cause.getMessage(),
        queuedBytes,
        lastCommit,
        new StoreHealth.Counters(
            count,
            entries.sum(),
            failures.sum(),
            lost.sum(),
            damaged.sum(),
            Duration.ofNanos(count == 0 ? 0 : nanos.sum() / count),
            Duration.ofNanos(maxNanos)));
  }
}
