package im.zonda.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Appender with a bounded queue and a thread of its own, so that a terminal that does not read
/// cannot block an event loop. Events that do not fit in the queue, or cannot be written, are
/// dropped and counted; the count is written as soon as writing works again. What peers cause too
/// often is counted instead ([EventLimit]), and long values are cut ([BoundedEvent]).
final class NonBlockingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final long STOP_MILLIS = 1_000;
  private static final long IDLE_MILLIS = 100;

  /// The most bytes of queued events.
  static final long QUEUE_BYTES = 8 << 20;

  private final Encoder<ILoggingEvent> encoder;
  private final OutputStream target;
  private final BlockingQueue<byte[]> queue;
  private final AtomicLong queued = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final EventLimit limit;
  private final InstantSource clock;
  private final RecentLines recent;
  private volatile boolean ending;
  private @Nullable Thread writer;

  /// An appender.
  ///
  /// @param capacity maximum number of queued events
  /// @param recent gets each line too
  NonBlockingAppender(
      Encoder<ILoggingEvent> encoder,
      OutputStream target,
      int capacity,
      InstantSource clock,
      RecentLines recent) {
    this.clock = clock;
    this.recent = recent;
    this.limit = new EventLimit(clock.millis());
    this.encoder = encoder;
    this.target = target;
    this.queue = new ArrayBlockingQueue<>(capacity);
  }

  @Override
  public void start() {
    // Loads the classes: there may be no file left to open when they are needed.
    byte[] _ =
        encoder.encode(
            BoundedEvent.suppressed(new EventLimit.Suppressed("", "", 0), clock.millis()));
    byte[] _ = encoder.encode(BoundedEvent.of(BoundedEvent.sample(clock.millis())));
    Thread thread = Thread.ofPlatform().daemon().name("log").unstarted(this::write);
    writer = thread;
    thread.start();
    super.start();
  }

  /// Stops when the queue has been written, at the latest after a second.
  @Override
  public void stop() {
    if (!isStarted()) {
      return;
    }
    super.stop();
    ending = true;
    Thread thread = writer;
    if (thread != null) {
      try {
        // The writer checks `ending` each time the queue has been empty for a moment.
        thread.join(STOP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (limit.admits(event)) {
      byte[] line = encoder.encode(BoundedEvent.of(event));
      recent.add(event.getInstant(), event.getLevel(), line);
      enqueue(line);
    }
  }

  private void enqueue(byte[] line) {
    if (queued.addAndGet(line.length) > QUEUE_BYTES || !queue.offer(line)) {
      queued.addAndGet(-line.length);
      dropped.incrementAndGet();
    }
  }

  /// @param last whether nothing is reported later
  private void reportSuppressed(boolean last) {
    long now = clock.millis();
    try {
      for (EventLimit.Suppressed each : limit.takeSuppressed(now, last)) {
        enqueue(encoder.encode(BoundedEvent.suppressed(each, now)));
      }
    } catch (RuntimeException | Error e) {
      addError("suppressed events are not reported", e); // the log goes on
    }
  }

  private void write() {
    List<byte[]> batch = new ArrayList<>();
    try {
      while (true) {
        boolean last = ending;
        reportSuppressed(last);
        byte[] first = queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        if (first == null && last) {
          return;
        }
        if (first != null) {
          batch.add(first);
          queue.drainTo(batch);
        }
        write(batch);
        batch.forEach(line -> queued.addAndGet(-line.length));
        batch.clear();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Writes the events, or counts them as dropped: a full disk may have space again later.
  private void write(List<byte[]> batch) throws InterruptedException {
    int written = 0;
    try {
      reportDropped();
      for (byte[] line : batch) {
        target.write(line);
        written++;
      }
      target.flush();
    } catch (IOException | RuntimeException e) {
      // There is nowhere to report this: the log itself has failed.
      dropped.addAndGet(batch.size() - written);
      addError("log output failed", e);
      if (!ending) {
        TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS); // meanwhile the queue fills up to its bound
      }
    }
  }

  private void reportDropped() throws IOException {
    long count = dropped.get();
    if (count > 0) {
      target.write(encoder.encode(BoundedEvent.dropped(count, clock.millis())));
      dropped.addAndGet(-count);
    }
  }
}
