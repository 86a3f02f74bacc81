package im.zonda.cluster.infinispan;

import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends frames to one process. A frame that all others have arrived before is written by the
/// thread that brings it, with those that wait: to wake another thread costs more than that.
/// Everything else is written by a thread of its own, because the channel blocks while the receiver
/// is slow. Frames that wait are joined to one message; some wait a little for the next one. What
/// exceeds the bound is discarded and counted.
final class PeerSender implements AutoCloseable {
  /// Bytes of frames that wait. One frame more is taken while there are fewer.
  static final int MAX_WAITING = 8 << 20;

  /// Bytes that the thread that brings them may write until the process has confirmed all of them:
  /// the buffers of the network hold more than that.
  static final int MAX_DIRECT = 32 << 10;

  /// Bytes of frames in one message, if there is more than one.
  private static final int BATCH = 32 << 10;

  /// How long a frame that may wait does so.
  private static final long PATIENCE_NANOS = 4_000_000;

  /// The time between two writes by threads that bring frames: what comes faster is joined by the
  /// thread of its own.
  private static final long GAP_NANOS = 150_000;

  private static final Logger LOG = LoggerFactory.getLogger(PeerSender.class);

  /// The channel to the process.
  interface Output {
    /// Sends a message; may block.
    ///
    /// @param buffer used by one caller at a time
    void send(byte[] message, FrameBundler.Buffer buffer) throws Exception;

    /// Whether the process is connected. Otherwise [#send] may wait for the network.
    boolean isConnected();
  }

  private final Member peer;
  private final Output output;
  private final LongSupplier clock;
  private final Thread thread;
  private final FrameBundler.Buffer buffer = new FrameBundler.Buffer();

  // Guarded by this object's monitor.
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private long bytes;
  private long discarded;

  /// Bytes that were written since the process had all.
  private long underWay;

  /// A thread writes.
  private boolean writing;

  /// When the last message was taken, in ns of the clock.
  private long lastWrite;

  /// A frame that may not wait is among those that do.
  private boolean urgent;

  /// When what waits is sent although none of it is urgent, in ns of the process's clock.
  private long deadline;

  /// The thread looks again by itself in some milliseconds.
  private boolean patient;

  private boolean closed;

  PeerSender(Member peer, Output output) {
    this(peer, output, System::nanoTime);
  }

  /// @param clock nanoseconds, for the time between two writes
  PeerSender(Member peer, Output output, LongSupplier clock) {
    this.peer = peer;
    this.output = output;
    this.clock = clock;
    this.lastWrite = clock.getAsLong() - GAP_NANOS;
    this.thread = Thread.ofPlatform().daemon().name("zonda-to-" + peer).start(this::run);
  }

  /// Adds frames, as far as the bound allows it.
  void send(List<byte[]> frames, ClusterEngine.Departure departure) {
    List<byte[]> batch = add(frames, departure);
    if (batch != null) {
      write(batch);
      written();
    }
  }

  /// Returns what the caller is to write; null if nothing.
  private synchronized @Nullable List<byte[]> add(
      List<byte[]> frames, ClusterEngine.Departure departure) {
    if (waiting.isEmpty()) {
      deadline = System.nanoTime() + PATIENCE_NANOS;
    }
    frames.forEach(this::add);
    if (waiting.isEmpty()) {
      return null; // all were discarded
    }
    urgent |= departure != ClusterEngine.Departure.MAY_WAIT || bytes >= BATCH;
    if (departure == ClusterEngine.Departure.AFTER_ALL_ARRIVED) {
      underWay = 0;
    }
    if (urgent && mayWriteDirectly()) {
      return take();
    }
    if (urgent ? !writing : !patient) {
      notifyAll();
    }
    return null;
  }

  /// With the monitor held.
  private void add(byte[] frame) {
    if (frame.length > ClusterEngine.MAX_FRAME) {
      LOG.atError()
          .addKeyValue("peer", peer)
          .addKeyValue("bytes", frame.length)
          .log("cluster_frame_too_large");
    } else if (closed || bytes >= MAX_WAITING) {
      discard();
    } else {
      waiting.add(frame);
      bytes += frame.length;
    }
  }

  private boolean mayWriteDirectly() {
    return !writing
        && bytes + underWay <= MAX_DIRECT
        && clock.getAsLong() - lastWrite >= GAP_NANOS
        && output.isConnected();
  }

  private void discard() {
    if (!closed && discarded++ == 0) {
      LOG.atWarn()
          .addKeyValue("peer", peer)
          .addKeyValue("waiting", bytes)
          .log("cluster_frames_discarded");
    }
  }

  private void write(List<byte[]> batch) {
    try {
      output.send(FrameBatch.join(batch), buffer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      // The process is leaving the view, or the channel is being closed.
      LOG.atDebug().addKeyValue("peer", peer).setCause(e).log("cluster_send_failed");
    }
  }

  private synchronized void written() {
    writing = false;
    if (urgent || (!waiting.isEmpty() && !patient)) {
      notifyAll();
    }
  }

  private void run() {
    for (List<byte[]> batch = next(); batch != null; batch = next()) {
      write(batch);
      written();
    }
  }

  /// Waits for frames, and with those that may wait for the next one. With the monitor held.
  private void waitForFrames() throws InterruptedException {
    boolean lately = false; // frames came while the thread was patient: more are likely
    while (!closed && (writing || waiting.isEmpty() || !urgent)) {
      long left = waiting.isEmpty() ? PATIENCE_NANOS : deadline - System.nanoTime();
      patient = !writing && (!waiting.isEmpty() || lately);
      if (patient && left <= 0) {
        break;
      } else if (patient) {
        lately = !waiting.isEmpty();
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } else {
        wait();
      }
    }
    patient = false;
  }

  /// Waits for frames; null if there will be none.
  private synchronized @Nullable List<byte[]> next() {
    try {
      waitForFrames();
    } catch (InterruptedException e) {
      return null;
    }
    if (closed) {
      return null;
    }
    return take();
  }

  /// Takes the next message, which is written then. With the monitor held.
  private List<byte[]> take() {
    writing = true;
    lastWrite = clock.getAsLong();
    List<byte[]> batch = new ArrayList<>();
    int size = 0;
    while (!waiting.isEmpty() && (batch.isEmpty() || size + waiting.element().length <= BATCH)) {
      byte[] frame = waiting.remove();
      batch.add(frame);
      size += frame.length;
    }
    bytes -= size;
    underWay += size;
    urgent = !waiting.isEmpty();
    if (discarded > 0 && bytes == 0) {
      LOG.atInfo()
          .addKeyValue("peer", peer)
          .addKeyValue("discarded", discarded)
          .log("cluster_peer_caught_up");
      discarded = 0;
    }
    return batch;
  }

  /// The bytes that wait.
  synchronized long waitingBytes() {
    return bytes;
  }

  /// Whether nothing waits and no thread writes.
  synchronized boolean isIdle() {
    return !writing && waiting.isEmpty();
  }

  /// Discards what waits and ends the thread.
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      waiting.clear();
      bytes = 0;
      notifyAll();
    }
    thread.interrupt();
  }
}
