package im.zonda.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The shared state of one event loop's connections: the input array, the list of connections with
/// output to flush, the timer, the counters.
final class Loop {
  private static final int SCRATCH_BYTES = 8_192;

  /// What may be collected before it is flushed: a large stanza for many connections is written to
  /// them in steps, so that it is not in memory as many times.
  private static final int COLLECTED_BYTES = 1_048_576;

  private final EventLoop eventLoop;
  private final OutboundBudget budget;
  private final List<Connection> connections = new ArrayList<>();
  private final AtomicReference<@Nullable Connection> ready = new AtomicReference<>();
  private final LoopCounters counters = new LoopCounters();
  private final Runnable flushTask = this::flush;
  private final Runnable drainTask = this::drain;
  private final Runnable relieveTask = this::relieve;
  private final AtomicBoolean relieving = new AtomicBoolean();
  private final BufferSink sink = new BufferSink();
  private final InboundBudget inbound;
  private List<Connection> dirty = new ArrayList<>();
  private List<Connection> flushed = new ArrayList<>();
  private byte[] scratch = new byte[SCRATCH_BYTES];
  private long collected;
  private boolean flushing;
  private volatile long now = millis();

  /// The most that waits for one connection of this loop, as of the last sweep or later.
  private volatile long most;

  /// @param inboundBytes the most bytes of unfinished input of all connections of this loop
  Loop(EventLoop eventLoop, OutboundBudget budget, long inboundBytes) {
    this.eventLoop = eventLoop;
    this.budget = budget;
    this.inbound = new InboundBudget(inboundBytes);
  }

  /// Starts the timer.
  @SuppressWarnings("FutureReturnValueIgnored") // it ends with the loop
  void start(long sweepMillis) {
    eventLoop.scheduleWithFixedDelay(this::sweep, sweepMillis, sweepMillis, TimeUnit.MILLISECONDS);
  }

  boolean isHere() {
    return eventLoop.inEventLoop();
  }

  OutboundBudget budget() {
    return budget;
  }

  LoopCounters counters() {
    return counters;
  }

  BufferSink sink() {
    return sink;
  }

  /// Milliseconds of a coarse clock that only goes forward, as of the last sweep.
  long now() {
    return now;
  }

  private static long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /// Copies what a connection has received to an array that is reused at the next call, and
  /// releases the buffer.
  byte[] receive(ByteBuf buffer) {
    int length = buffer.readableBytes();
    if (scratch.length < length) {
      scratch = new byte[Math.max(length, scratch.length * 2)];
    }
    buffer.getBytes(buffer.readerIndex(), scratch, 0, length);
    buffer.release();
    counters.bytesIn.add(length);
    return scratch;
  }

  /// Runs `task` later on this loop, or at once by the caller when the loop has ended.
  void execute(Runnable task) {
    try {
      eventLoop.execute(task);
    } catch (RejectedExecutionException e) {
      // The server has stopped and the loop's connections are gone: nothing runs beside the task.
      task.run();
    }
  }

  // ---- connections

  void add(Connection connection) {
    now = millis();
    connection.place = connections.size();
    connections.add(connection);
    counters.accepted.add(1);
    counters.open.add(1);
  }

  void remove(Connection connection) {
    Connection last = connections.removeLast();
    if (last != connection) {
      connections.set(connection.place, last);
      last.place = connection.place;
    }
    counters.open.add(-1);
  }

  /// The connection holds `bytes` bytes of unfinished input now. May close connections, also this
  /// one.
  void unfinished(Connection connection, int bytes) {
    boolean more = bytes > connection.unfinished;
    inbound.update(connection, bytes);
    if (more && inbound.isExceeded()) {
      inbound.closeLargest(connections(), counters.overflows);
    }
  }

  /// The connections now.
  List<Connection> connections() {
    return List.copyOf(connections);
  }

  private void sweep() {
    now = millis();
    most = 0;
    // Backwards, because a connection that ends now is replaced by the last one.
    for (int i = connections.size() - 1; i >= 0; i--) {
      if (i < connections.size()) {
        sweep(connections.get(i));
      }
    }
  }

  private void sweep(Connection connection) {
    try {
      connection.sweep(now);
    } catch (RuntimeException | Error e) {
      // It would end the timer for all.
      connection.broken(e);
    }
  }

  // ---- output

  /// Flushes the connection at the end of this turn.
  void dirty(Connection connection) {
    dirty.add(connection);
    if (!flushing) {
      flushing = true;
      execute(flushTask);
    }
  }

  /// Adds to the bytes that are collected and not flushed.
  void collected(long more) {
    collected += more;
  }

  /// Bytes that are collected and not flushed.
  long collected() {
    return collected;
  }

  /// Whether the collected output should be flushed before more is added.
  boolean hasCollectedEnough() {
    return collected > COLLECTED_BYTES;
  }

  private void flush() {
    flushing = false;
    List<Connection> now = dirty;
    dirty = flushed;
    flushed = now;
    for (int i = 0; i < now.size(); i++) {
      flush(now.get(i));
    }
    now.clear();
    budget.check(this);
  }

  private static void flush(Connection connection) {
    try {
      connection.flush();
    } catch (RuntimeException | Error e) {
      // The other connections go on.
      connection.broken(e);
    }
  }

  /// Notes the bytes that wait for one of its connections.
  void waits(long bytes) {
    if (bytes > most) {
      most = bytes;
    }
  }

  /// The most that waits for one connection.
  long most() {
    return most;
  }

  /// Schedules [#relieve]. Any thread may call.
  void relieveSoon() {
    if (relieving.compareAndSet(false, true)) {
      execute(relieveTask);
    }
  }

  /// Ends connections, those with the most waiting output first, until the budget is kept.
  void relieve() {
    relieving.set(false);
    List<Connection> all = new ArrayList<>(connections);
    most = 0;
    all.forEach(Connection::updateWaiting);
    all.sort(Comparator.comparingLong(Connection::countedBytes).reversed());
    budget.relieve(this, all);
  }

  /// Drains the connection soon. Called by any thread that has scheduled it
  /// ([OutboundQueue#schedule]).
  void ready(Connection connection) {
    Connection before;
    do {
      before = ready.get();
      connection.nextReady = before;
    } while (!ready.compareAndSet(before, connection));
    if (before == null) {
      execute(drainTask);
    }
  }

  private void drain() {
    Connection connection = ready.getAndSet(null);
    while (connection != null) {
      // Read first: from `unschedule` on the connection may become ready again.
      Connection next = connection.nextReady;
      connection.unschedule();
      drain(connection);
      connection = next;
      if (hasCollectedEnough()) {
        flush();
      }
    }
  }

  private static void drain(Connection connection) {
    try {
      connection.drain();
    } catch (RuntimeException | Error e) {
      // The other connections go on.
      connection.broken(e);
    }
  }
}
