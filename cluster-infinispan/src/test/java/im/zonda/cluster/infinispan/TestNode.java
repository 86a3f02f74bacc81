package im.zonda.cluster.infinispan;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.ClusterRows;
import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.membership.Membership;
import im.zonda.cluster.membership.MembershipListener;
import im.zonda.cluster.placement.Placement;
import im.zonda.module.Scheduler;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jgroups.JChannel;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/// A node of a cluster in the test's own process: membership and engine, with all that they report.
final class TestNode implements MembershipListener, ClusterRows, AutoCloseable {
  /// How long two nodes wait for each other.
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final long TEST_PATIENCE_SECONDS = 60;

  private final ClusterRows shared;
  private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
  private final Membership membership;
  private volatile boolean dead;

  // Guarded by this object's monitor.
  private final List<Placement> placements = new ArrayList<>();
  private final List<Frame> frames = new ArrayList<>();
  private final List<Boolean> suspensions = new ArrayList<>();
  private int evictions;
  private @Nullable InfinispanEngine engine;

  TestNode(String name, EngineSettings settings, ClusterRows shared) {
    this.shared = shared;
    this.membership =
        new Membership(
            name,
            Membership.Parts.withThreads(
                self -> opened(new InfinispanEngine(self, settings)),
                this,
                this::schedule,
                InstantSource.system()),
            PATIENCE,
            this);
  }

  private synchronized ClusterEngine opened(InfinispanEngine next) {
    engine = next;
    return next;
  }

  private Scheduler.Cancellable schedule(Duration delay, Runnable task) {
    try {
      Future<?> future = timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      return () -> {};
    }
  }

  TestNode start() throws IOException {
    membership.start();
    return this;
  }

  Membership membership() {
    return membership;
  }

  Member self() {
    return membership.self();
  }

  synchronized JChannel channel() {
    JChannel channel = engine == null ? null : engine.channel();
    if (channel == null) {
      throw new IllegalStateException("not started");
    }
    return channel;
  }

  /// Sends bytes that need not be a frame.
  synchronized void sendBytes(Member to, byte[] bytes) {
    if (engine != null) {
      engine.send(to, List.of(bytes), ClusterEngine.Departure.AT_ONCE);
    }
  }

  /// Ends the node as a killed process ends: nothing is said, connections break.
  void kill() throws Exception {
    dead = true;
    timers.shutdownNow();
    Util.shutdown(channel(), false);
  }

  // ---- what it has reported

  synchronized Placement awaitPlacement(Predicate<Placement> condition)
      throws InterruptedException {
    await(() -> !placements.isEmpty() && condition.test(placements.getLast()));
    return placements.getLast();
  }

  synchronized List<Placement> placements() {
    return new ArrayList<>(placements);
  }

  synchronized List<Frame> awaitFrames(int count) throws InterruptedException {
    await(() -> frames.size() >= count);
    return new ArrayList<>(frames);
  }

  synchronized void awaitEviction() throws InterruptedException {
    await(() -> evictions > 0);
  }

  synchronized void awaitSuspension() throws InterruptedException {
    await(() -> !suspensions.isEmpty() && suspensions.getLast());
  }

  private synchronized void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TEST_PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError(
            "it did not come: " + membership.status().row() + " " + placements.size());
      }
      wait(left);
    }
  }

  @Override
  public synchronized void installed(Placement placement) {
    placements.add(placement);
    notifyAll();
  }

  @Override
  public synchronized void suspended(boolean suspended) {
    suspensions.add(suspended);
    notifyAll();
  }

  @Override
  public synchronized void evicted() {
    evictions++;
    notifyAll();
  }

  @Override
  public void left() {}

  @Override
  public synchronized void received(List<Frame> received) {
    frames.addAll(received);
    notifyAll();
  }

  // ---- the row, which a dead process does not reach

  @Override
  public ClusterRow read() {
    return row().read();
  }

  @Override
  public boolean compareAndSet(long expected, ClusterRow next) {
    return row().compareAndSet(expected, next);
  }

  @Override
  public void renew(long epoch) {
    row().renew(epoch);
  }

  private ClusterRows row() {
    if (dead) {
      throw new StoreException(StoreException.Category.UNAVAILABLE, "dead", null);
    }
    return shared;
  }

  @Override
  public void close() {
    timers.shutdownNow();
    membership.close();
  }
}
