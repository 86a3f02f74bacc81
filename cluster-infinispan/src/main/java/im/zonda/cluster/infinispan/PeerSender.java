package im.zonda.cluster.infinispan;

import im.zonda.cluster.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends frames to one process on a thread of its own, because the channel blocks while the
/// receiver is slow. Frames that wait are joined to one message; some wait a little for the next
/// one, because each message wakes up two threads. What exceeds the bound is discarded and counted.
final class PeerSender implements AutoCloseable {
  /// Bytes of frames that wait. One frame more is taken while there are fewer.
  static final int MAX_WAITING = 8 << 20;

  /// Bytes of frames in one message, if there is more than one.
  private static final int BATCH = 32 << 10;

  /// How long a frame that may wait does so.
  private static final long PATIENCE_NANOS = 2_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(PeerSender.class);

  /// The channel to the process.
  @FunctionalInterface
  interface Output {
    /// Sends a message; may block.
    void send(byte[] message) throws Exception;
  }

  private final Member peer;
  private final Output output;
  private final Thread thread;

  // Guarded by this object's monitor.
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private long bytes;
  private long discarded;

  /// A frame that may not wait is among those that do.
  private boolean urgent;

  /// The thread looks again by itself when the patience is over.
  private boolean patient;

  private boolean closed;

  PeerSender(Member peer, Output output) {
    this.peer = peer;
    this.output = output;
    this.thread = new FrameBundler.Writer("zonda-to-" + peer, this::run);
    thread.start();
  }

  /// Adds a frame, if the bound allows it.
  ///
  /// @param mayWait whether it may wait for the next one
  synchronized void send(byte[] frame, boolean mayWait) {
    if (closed || bytes >= MAX_WAITING) {
      if (!closed && discarded++ == 0) {
        LOG.atWarn()
            .addKeyValue("peer", peer)
            .addKeyValue("waiting", bytes)
            .log("cluster_frames_discarded");
      }
      return;
    }
    waiting.add(frame);
    bytes += frame.length;
    urgent |= !mayWait || bytes >= BATCH;
    if (urgent || !patient) {
      notifyAll();
    }
  }

  private void run() {
    for (List<byte[]> batch = next(); batch != null; batch = next()) {
      try {
        output.send(FrameBatch.join(batch));
      } catch (InterruptedException e) {
        return;
      } catch (Exception e) {
        // The process is about to leave the view, or the channel is being closed.
        LOG.atDebug().addKeyValue("peer", peer).setCause(e).log("cluster_send_failed");
      }
    }
  }

  /// Waits for frames, and with those that may wait for the next one. With the monitor held.
  private void waitForFrames() throws InterruptedException {
    long left = PATIENCE_NANOS;
    long begun = System.nanoTime();
    while (!closed && !urgent && left > 0) {
      if (waiting.isEmpty()) {
        wait();
        begun = System.nanoTime();
      } else {
        patient = true;
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = PATIENCE_NANOS - (System.nanoTime() - begun);
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
    List<byte[]> batch = new ArrayList<>();
    int size = 0;
    while (!waiting.isEmpty() && (batch.isEmpty() || size + waiting.element().length <= BATCH)) {
      byte[] frame = waiting.remove();
      batch.add(frame);
      size += frame.length;
    }
    bytes -= size;
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
