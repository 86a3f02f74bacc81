package im.zonda.testkit.load;

import im.zonda.testkit.client.Wire;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// A connection whose input, once it is tapped, goes to someone else than the XML reader: a load
/// driver has no time to parse.
final class TapWire implements Wire {
  /// Takes bytes as they come.
  interface Tap {
    void take(byte[] bytes, int length);
  }

  private final Wire wire;
  private volatile @Nullable Tap tap;

  TapWire(Wire wire) {
    this.wire = wire;
  }

  /// From the next bytes on, all that comes goes to `newTap`, on the reader's thread.
  void tap(Tap newTap) {
    tap = newTap;
  }

  @Override
  public InputStream in() {
    return new FilterInputStream(wire.in()) {
      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int count = super.read(target, offset, length);
        byte[] bytes = target.clone();
        while (tap != null && count >= 0) {
          System.arraycopy(target, offset, bytes, 0, count);
          tapped(bytes, count);
          count = super.read(target, offset, length);
        }
        return count;
      }
    };
  }

  private void tapped(byte[] bytes, int count) {
    Tap current = tap;
    if (current != null) {
      current.take(bytes, count);
    }
  }

  @Override
  public OutputStream out() {
    return wire.out();
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
