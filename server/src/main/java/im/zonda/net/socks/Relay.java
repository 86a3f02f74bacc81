package im.zonda.net.socks;

import im.zonda.jid.Jid;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An activated stream: forwards bytes in both directions, each on a thread of its own. When one
/// side has ended its output, the other may go on; the stream ends when both have, or one fails.
final class Relay {
  private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

  /// Bytes that are forwarded at a time, and all that a direction keeps.
  private static final int CHUNK = 8_192;

  final Jid requester;
  private final Halves.Pair pair;
  private final Meter meter;
  private final Runnable onEnd;
  private final AtomicInteger directions = new AtomicInteger(2);
  private volatile Instant lastByte;

  /// What forwarded bytes are measured by.
  interface Meter {
    /// The time.
    Instant now();

    /// Blocks until that many bytes of a stream may be forwarded.
    void await(int bytes) throws InterruptedException;
  }

  /// @param onEnd called once, when both directions have ended
  Relay(Jid requester, Halves.Pair pair, Meter meter, Runnable onEnd) {
    this.requester = requester;
    this.pair = pair;
    this.meter = meter;
    this.onEnd = onEnd;
    this.lastByte = meter.now();
  }

  /// What forwards; each is to be run on a thread that may block.
  List<Runnable> directions() {
    return List.of(
        () -> run(pair.first().socket, pair.second().socket),
        () -> run(pair.second().socket, pair.first().socket));
  }

  /// When the last byte was read or written.
  Instant lastByte() {
    return lastByte;
  }

  /// Closes both connections, which ends the directions.
  void close() {
    pair.first().close();
    pair.second().close();
  }

  private void run(Socket from, Socket to) {
    boolean failed = true;
    try {
      forward(from.getInputStream(), to.getOutputStream());
      to.shutdownOutput();
      failed = false;
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("bytestream_cut");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      boolean last = directions.decrementAndGet() == 0;
      if (failed || last) {
        close();
      }
      if (last) {
        onEnd.run();
      }
    }
  }

  private void forward(InputStream in, OutputStream out) throws IOException, InterruptedException {
    byte[] chunk = new byte[CHUNK];
    for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
      lastByte = meter.now();
      meter.await(count);
      out.write(chunk, 0, count);
      lastByte = meter.now();
    }
  }
}
