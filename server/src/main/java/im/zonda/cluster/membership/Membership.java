package im.zonda.cluster.membership;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.ClusterRows;
import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.frame.Frame;
import im.zonda.module.Scheduler;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The membership of this node in its cluster: joins, installs placements, and rejoins as a new
/// incarnation after it was evicted. Everything is decided on one thread; the row of the database
/// is read and written on another one.
///
/// The clock may jump: time in which the row was not read does not count for a decision, and a
/// clock that goes back only makes this node wait longer.
public final class Membership implements AutoCloseable {
  /// How long a minority waits for a sign of life of the other members before it evicts them.
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  /// The time between two ticks.
  static final Duration TICK = Duration.ofMillis(200);

  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

  /// What a membership uses.
  ///
  /// @param engines makes the engine of each incarnation
  /// @param thread runs tasks one at a time, in order
  /// @param database the same, another one: its tasks wait for the row
  public record Parts(
      Function<Member, ClusterEngine> engines,
      ClusterRows rows,
      Scheduler timers,
      InstantSource clock,
      Executor thread,
      Executor database) {
    /// Parts with threads of their own, which end with the process or when [Membership#close] has
    /// been called.
    public static Parts withThreads(
        Function<Member, ClusterEngine> engines,
        ClusterRows rows,
        Scheduler timers,
        InstantSource clock) {
      return new Parts(
          engines, rows, timers, clock, thread("zonda-membership"), thread("zonda-cluster-row"));
    }

    private static ExecutorService thread(String name) {
      return Executors.newSingleThreadExecutor(Thread.ofVirtual().name(name).factory());
    }
  }

  /// Ticks between two attempts to start an engine again.
  private static final int RETRY = 5;

  private final String node;
  private final Parts parts;
  private final long patience;
  private final MembershipListener listener;
  private final RowRequests rows;
  private final FrameTraffic traffic = new FrameTraffic();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final AtomicBoolean ticking = new AtomicBoolean();
  private volatile @Nullable Incarnation current;
  private volatile @Nullable PeriodicTask timer;

  // Confined to the membership's thread once it has started.
  private boolean closed;
  private boolean draining;
  private boolean restarting;
  private long lastIncarnation;
  private int ticksToRestart;

  /// @param node the configured name of this node
  public Membership(String node, Parts parts, Duration patience, MembershipListener listener) {
    this.node = node;
    this.parts = parts;
    this.patience = patience.toMillis();
    this.listener = listener;
    this.rows =
        new RowRequests(parts.rows(), task -> submit(parts.database(), task), this::rowRead);
  }

  /// Reads the row and joins the other processes. Blocks until this process is connected.
  ///
  /// @throws IOException if the address of the cluster cannot be used, or the members speak another
  ///   version of frames
  /// @throws im.zonda.store.StoreException if the row cannot be read
  public void start() throws IOException {
    ClusterRow row = parts.rows().read();
    checkVersion(row);
    Incarnation first = incarnation(row);
    current = first;
    first.start();
    timer = PeriodicTask.start(parts.timers(), TICK, this::tickSoon);
  }

  private static void checkVersion(ClusterRow row) throws IOException {
    long spoken = row.frames();
    if (spoken != ClusterRow.UNKNOWN_FRAMES
        && spoken != Frame.VERSION
        && !row.members().isEmpty()) {
      throw new IOException(
          "its members "
              + row.members()
              + " speak version "
              + spoken
              + " of frames, this program version "
              + Frame.VERSION
              + "; stop all of them first. If none of them runs, delete the row of the cluster in"
              + " table cluster_row");
    }
  }

  /// Sends frames to a process. Never blocks; what cannot be sent is discarded, see
  /// [ClusterEngine#send].
  ///
  /// @param allArrived whether the process has all that it was sent before
  public void send(Member to, List<Frame> frames, boolean allArrived) {
    running().send(to, frames, allArrived);
  }

  /// The member that this process is now.
  public Member self() {
    return running().self();
  }

  /// Whether [#start] has got so far that there is a status.
  public boolean isJoined() {
    return current != null;
  }

  /// What this process knows of the cluster.
  public MembershipStatus status() {
    return running().status();
  }

  /// The frames between this process and the others so far. Any thread may call.
  public FrameTraffic.Counts traffic() {
    return traffic.counts();
  }

  /// Leaves the cluster; [MembershipListener#left] follows. To be called when this node is neither
  /// home nor standby of anything.
  public void leave() {
    execute(() -> running().leave());
  }

  /// Starts or ends the draining of this node: a new placement gives its homes to other members, or
  /// homes to this node again. Does nothing if nothing changes.
  public void drain(boolean wanted) {
    execute(() -> {
      draining = wanted;
      running().drain(wanted);
    });
  }

  /// Ends the incarnation without leaving: to the others, this process is lost.
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    PeriodicTask ticks = timer;
    if (ticks != null) {
      ticks.cancel();
    }
    CountDownLatch done = new CountDownLatch(1);
    execute(() -> {
      closed = true;
      Incarnation last = current;
      if (last != null) {
        last.close();
      }
      done.countDown();
    });
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Executor each : List.of(parts.thread(), parts.database())) {
      if (each instanceof ExecutorService threads) {
        threads.shutdown();
      }
    }
  }

  private Incarnation running() {
    Incarnation running = current;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running;
  }

  /// The next incarnation: higher than any that the row has seen, and than those before that were
  /// never admitted.
  private Incarnation incarnation(ClusterRow row) {
    long admitted = row.incarnations().getOrDefault(node, 0L);
    lastIncarnation = Math.max(Math.max(admitted, lastIncarnation) + 1, parts.clock().millis());
    ClusterEngine engine = parts.engines().apply(new Member(node, lastIncarnation));
    Incarnation.Context context =
        new Incarnation.Context(listener, this::execute, rows, this::evicted, traffic);
    return new Incarnation(engine, row, patience, context);
  }

  // ---- on the membership's thread

  private void tickSoon() {
    if (ticking.compareAndSet(false, true)) {
      execute(this::tick);
    }
  }

  private void tick() {
    ticking.set(false);
    if (!restarting) {
      running().tick();
    } else if (--ticksToRestart <= 0) {
      restart();
    }
  }

  private void rowRead(ClusterRow row) {
    execute(() -> running().rowRead(row, parts.clock().millis()));
  }

  private void evicted() {
    restarting = true;
    execute(this::restart);
  }

  private void restart() {
    if (closed || !restarting) {
      return;
    }
    Incarnation last = running();
    last.close();
    Incarnation next = incarnation(last.status().row());
    current = next;
    try {
      next.start();
      next.drain(draining);
      restarting = false;
    } catch (IOException e) {
      LOG.atError().setCause(e).log("cluster_engine_failed");
      ticksToRestart = RETRY;
    }
  }

  private void execute(Runnable task) {
    submit(parts.thread(), task);
  }

  private static void submit(Executor executor, Runnable task) {
    try {
      executor.execute(() -> run(task));
    } catch (RejectedExecutionException e) {
      LOG.atDebug().setCause(e).log("cluster_task_after_close");
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("cluster_task_failed");
    }
  }
}
