package im.zonda.runtime;

import im.zonda.module.IdSource;
import im.zonda.module.Scheduler;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// Builder of a [ServerRuntime] for tests. Unless a test says otherwise, time stands still, timers
/// never run, tasks run on the caller's thread, and ids and random numbers are the same each time.
public final class TestRuntime {
  private final AtomicLong lastId = new AtomicLong();
  private InstantSource clock = InstantSource.fixed(Instant.EPOCH);
  private Scheduler scheduler = (delay, task) -> () -> {};
  private IdSource ids = () -> "id" + lastId.incrementAndGet();
  private RandomGenerator random = new SplittableRandom(1);
  private Executor workers = Runnable::run;

  public TestRuntime clock(InstantSource replacement) {
    clock = replacement;
    return this;
  }

  public TestRuntime scheduler(Scheduler replacement) {
    scheduler = replacement;
    return this;
  }

  public TestRuntime ids(IdSource replacement) {
    ids = replacement;
    return this;
  }

  public TestRuntime random(RandomGenerator replacement) {
    random = replacement;
    return this;
  }

  public TestRuntime workers(Executor replacement) {
    workers = replacement;
    return this;
  }

  public ServerRuntime build() {
    return new ServerRuntime(clock, scheduler, ids, random, workers);
  }
}
