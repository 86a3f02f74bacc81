package im.zonda.testkit.noloss;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Address and state of the server over its restarts, set by whatever starts and kills it.
public final class ServerLives {
  private @Nullable InetSocketAddress address;
  private int kills;

  /// It is ready there.
  public synchronized void ready(InetSocketAddress where) {
    address = where;
    notifyAll();
  }

  /// It is about to be killed; to be called before that.
  public synchronized void killing() {
    kills++;
    address = null;
  }

  /// It is about to be stopped in the proper way.
  public synchronized void stopping() {
    address = null;
  }

  /// How often it has been killed.
  public synchronized int kills() {
    return kills;
  }

  /// Where it is; waits while it is away.
  public synchronized InetSocketAddress await() throws InterruptedException {
    while (address == null) {
      wait();
    }
    return address;
  }

  /// Where it is now, or null.
  public synchronized @Nullable InetSocketAddress now() {
    return address;
  }
}
