package im.zonda.app.attack;

import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.Wire;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// A client's connection that stops reading when told to, so that the server's bytes pile up.
final class GatedWire implements Wire {
  private final SocketWire wire;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  GatedWire(SocketWire wire) {
    this.wire = wire;
  }

  /// Stops reading, but for the bytes that a read waits for now.
  void shut() {
    gate = new CountDownLatch(1);
  }

  /// Reads again.
  void reopen() {
    gate.countDown();
  }

  @Override
  public InputStream in() {
    return new FilterInputStream(wire.in()) {
      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        try {
          gate.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", e);
        }
        return super.read(target, offset, Math.min(length, 1_024));
      }
    };
  }

  @Override
  public OutputStream out() {
    return wire.out();
  }

  @Override
  public boolean ended() {
    return wire.ended();
  }

  @Override
  public void startTls(String domain) throws IOException {
    wire.startTls(domain);
  }

  @Override
  public @Nullable SSLSession tls() {
    return wire.tls();
  }

  @Override
  public void close() {
    wire.close();
  }

  @Override
  public void abort() {
    wire.abort();
  }
}
