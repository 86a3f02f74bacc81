package im.zonda.testkit.noloss;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Address and state of the server over its restarts, set by the code that starts and kills it.
public final class ServerLives {
  private @Nullable InetSocketAddress address;
  private int kills;

  /// Sets the address of a server that is ready.
  public synchronized void ready(InetSocketAddress where) {
    address = where;
    notifyAll();
  }

  /// Announces a kill; must be called before it.
  public synchronized void killing() {
    kills++;
    address = null;
  }

  /// Announces a clean stop.
  public synchronized void stopping() {
    address = null;
  }

  /// The number of kills.
  public synchronized int kills() {
    return kills;
  }

  /// The address of the server; waits while it is not ready.
  public synchronized InetSocketAddress await() throws InterruptedException {
    while (address == null) {
      wait();
    }
    return address;
  }

  /// The address of the server, or null while it is not ready.
  public synchronized @Nullable InetSocketAddress now() {
    return address;
  }
}
