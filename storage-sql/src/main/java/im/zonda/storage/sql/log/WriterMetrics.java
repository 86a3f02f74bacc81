package im.zonda.storage.sql.log;

import im.zonda.jfr.Commit;
import im.zonda.metric.Timing;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counters and state of the writer. Updated by the writer thread only; any thread may read.
public final class WriterMetrics {
  private record Outage(Instant since, StoreException cause) {}

  private final InstantSource time;
  private final LongAdder commits = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder damaged = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final Timing times = new Timing();
  private volatile long maxNanos;
  private volatile @Nullable Instant lastCommit;
  private volatile @Nullable Outage outage;
  private volatile StoreState state = StoreState.STORING;

  public WriterMetrics(InstantSource time) {
    this.time = time;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void countCommit(int size, long took) {
    commits.increment();
    entries.add(size);
    nanos.add(took);
    times.record(took);
    Commit.record(size, took);
    if (took > maxNanos) {
      maxNanos = took;
    }
    lastCommit = time.instant();
  }

  /// How long transactions took, from their first statement to the end of the commit.
  public Timing commitTimes() {
    return times;
  }

  void countFailure() {
    failures.increment();
  }

  void countLost() {
    lost.increment();
  }

  void countDamaged() {
    damaged.increment();
  }

  /// Records that the database cannot store anything; with `stopped`, that it will not until the
  /// next start. Returns true if it could store until now.
  boolean recordOutage(StoreException cause, boolean stopped) {
    Outage before = outage;
    Instant since = before == null ? time.instant() : before.since;
    outage = new Outage(since, cause);
    StoreState.Kind kind = stopped ? StoreState.Kind.STOPPED : StoreState.Kind.FAILING;
    state = new StoreState(kind, since, cause.category());
    return before == null;
  }

  /// Whether the database can store, and otherwise since when it cannot.
  StoreState state() {
    return state;
  }

  /// The cause of the current outage; there must be one.
  StoreException outageCause() {
    return Objects.requireNonNull(outage).cause;
  }

  /// Records that the database stores again. Returns true if there was an outage.
  boolean recordRecovery() {
    boolean failing = outage != null;
    outage = null;
    state = StoreState.STORING;
    return failing;
  }

  public StoreHealth health(String database, String product, long queuedBytes) {
    Outage now = outage;
    long count = commits.sum();
    return new StoreHealth(
        database,
        product,
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
