package im.zonda.app.load;

import im.zonda.stream.client.StreamContext;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// What an event loop of the network is to connections over sockets: the thread of the
/// [MemoryConnection]s that belong to it, which runs what is handed to it and then hands on what
/// all that has written.
final class MemoryLoop implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// After this many tasks their output is flushed, even if more tasks wait.
  private static final int TURN = 256;

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean sleeping = new AtomicBoolean();
  private final Deque<MemorySink> spare = new ArrayDeque<>();
  private final List<MemoryConnection> connections = new ArrayList<>();
  private final StreamContext streams;
  private final LongAdder messages;
  private final Thread thread;
  private List<MemoryConnection> dirty = new ArrayList<>();
  private List<MemoryConnection> flushing = new ArrayList<>();
  private volatile long now = millis();
  private volatile boolean closed;

  /// @param messages counts the messages that leave
  MemoryLoop(StreamContext streams, LongAdder messages, int number) {
    this.streams = streams;
    this.messages = messages;
    this.thread = Thread.ofPlatform().name("memory-loop-" + number).daemon().start(this::run);
  }

  StreamContext streams() {
    return streams;
  }

  LongAdder messages() {
    return messages;
  }

  boolean isHere() {
    return thread.equals(Thread.currentThread());
  }

  /// The processor time of its thread so far.
  long cpuMicros() {
    return TimeUnit.NANOSECONDS.toMicros(
        ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId()));
  }

  /// Milliseconds of a clock that is read once a second.
  long now() {
    return now;
  }

  private static long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /// Runs a task later on this loop.
  void execute(Runnable task) {
    tasks.add(task);
    if (sleeping.get() && sleeping.compareAndSet(true, false)) {
      LockSupport.unpark(thread);
    }
  }

  /// The connection has something to flush at the end of this turn, for which it is given a sink.
  MemorySink dirty(MemoryConnection connection) {
    dirty.add(connection);
    MemorySink sink = spare.poll();
    return sink == null ? new MemorySink() : sink;
  }

  /// The sink is free again.
  void free(MemorySink sink) {
    sink.clear();
    spare.push(sink);
  }

  /// Releases cached objects, which would count as the server's memory.
  void rest() {
    execute(spare::clear);
  }

  void add(MemoryConnection connection) {
    connections.add(connection);
  }

  private void run() {
    long nextTick = System.nanoTime() + TICK_NANOS;
    while (!closed) {
      Runnable task = tasks.poll();
      for (int i = 0; task != null; task = ++i < TURN ? tasks.poll() : null) {
        task.run();
      }
      flush();
      long left = nextTick - System.nanoTime();
      if (left <= 0) {
        nextTick += TICK_NANOS;
        now = millis();
        connections.removeIf(MemoryConnection::tick);
      } else if (tasks.isEmpty() && dirty.isEmpty()) {
        sleep(left);
      }
    }
  }

  private void sleep(long nanos) {
    sleeping.set(true);
    // A thread that added a task before it saw the flag has not woken this thread.
    if (tasks.isEmpty() && !closed) {
      LockSupport.parkNanos(nanos);
    }
    sleeping.set(false);
  }

  private void flush() {
    List<MemoryConnection> now = dirty;
    dirty = flushing;
    flushing = now;
    for (MemoryConnection connection : now) {
      connection.flush();
    }
    now.clear();
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
