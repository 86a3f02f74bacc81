package im.zonda.net;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the connections of one event loop share: the array that input passes through, the list of
/// those with something to flush, the timer, the counters.
final class Loop {
  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final int SCRATCH_BYTES = 8_192;

  private final EventLoop eventLoop;
  private final List<Connection> connections = new ArrayList<>();
  private final AtomicReference<@Nullable Connection> ready = new AtomicReference<>();
  private final LoopCounters counters = new LoopCounters();
  private final Runnable flushTask = this::flush;
  private final Runnable drainTask = this::drain;
  private final BufferSink sink = new BufferSink();
  private final InboundBudget inbound;
  private List<Connection> dirty = new ArrayList<>();
  private List<Connection> flushing = new ArrayList<>();
  private byte[] scratch = new byte[SCRATCH_BYTES];
  private volatile long now = millis();

  /// @param inboundBytes the most bytes of unfinished input of all connections
  Loop(EventLoop eventLoop, long inboundBytes) {
    this.eventLoop = eventLoop;
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

  LoopCounters counters() {
    return counters;
  }

  BufferSink sink() {
    return sink;
  }

  /// Milliseconds since some time, as of the last sweep.
  long now() {
    return now;
  }

  private static long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /// An array of at least that many bytes; its content is lost at the next call.
  byte[] scratch(int length) {
    if (scratch.length < length) {
      scratch = new byte[Math.max(length, scratch.length * 2)];
    }
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
    connection.place(connections.size());
    connections.add(connection);
    counters.accepted.add(1);
    counters.open.add(1);
  }

  void remove(Connection connection) {
    Connection last = connections.removeLast();
    if (last != connection) {
      connections.set(connection.place(), last);
      last.place(connection.place());
    }
    counters.open.add(-1);
  }

  /// A connection holds that many bytes of unfinished input more, or less. May close connections,
  /// also this one.
  void unfinished(int bytes) {
    inbound.add(bytes);
    if (bytes > 0 && inbound.isExceeded()) {
      inbound.shed(connections());
    }
  }

  /// The connections now.
  List<Connection> connections() {
    return List.copyOf(connections);
  }

  private void sweep() {
    now = millis();
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
    } catch (RuntimeException e) {
      // An exception would end the timer for all.
      LOG.atError().setCause(e).log("connection_broken");
      connection.cut();
    }
  }

  // ---- output

  /// The connection has something to flush at the end of this turn.
  void dirty(Connection connection) {
    dirty.add(connection);
    if (dirty.size() == 1) {
      execute(flushTask);
    }
  }

  private void flush() {
    List<Connection> now = dirty;
    dirty = flushing;
    flushing = now;
    for (Connection connection : now) {
      connection.flush();
    }
    now.clear();
  }

  /// Other threads have sent something on the connection. Called by any thread that has scheduled
  /// it ([OutboundQueue#schedule]).
  void ready(Connection connection) {
    Connection before;
    do {
      before = ready.get();
      connection.nextReady(before);
    } while (!ready.compareAndSet(before, connection));
    if (before == null) {
      execute(drainTask);
    }
  }

  private void drain() {
    Connection connection = ready.getAndSet(null);
    while (connection != null) {
      // Read first: from `unschedule` on the connection may become ready anew.
      Connection next = connection.nextReady();
      connection.unschedule();
      connection.drain();
      connection = next;
    }
  }
}
