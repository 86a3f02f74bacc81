package im.zonda.net.proxy;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// Has every connection of a listener begin with the header of the PROXY protocol. Whether a
/// listener expects it is a matter of its configuration only: a client that could decide would
/// choose its own address. Any thread may call.
public final class ProxyHeaders {
  /// How many connections may wait for their header at a time.
  static final int MAX_WAITING = 10_000;

  private final AddressRanges proxies;
  private final Duration time;
  private final AtomicInteger waiting = new AtomicInteger();

  /// Continues when the header of a connection has come. Called on the connection's event loop.
  public interface Receiver {
    /// Adds the handlers of the connection, or closes it.
    ///
    /// @param client whose connection it is
    void accept(InetAddress client);

    /// The connection is closed because there is no header that can be used.
    ///
    /// @param reason for the log
    void refused(String reason);
  }

  /// @param proxies who may connect
  /// @param time in which the header must have come
  public ProxyHeaders(AddressRanges proxies, Duration time) {
    this.proxies = proxies;
    this.time = time;
  }

  /// Waits for the header of a new connection, or closes it: if its peer is no proxy, or if too
  /// many wait. To be called while its channel is initialised.
  @SuppressWarnings("FutureReturnValueIgnored") // a refused connection is not waited for
  public void await(Channel channel, InetAddress peer, Receiver receiver) {
    boolean trusted = proxies.contains(peer);
    if (trusted && waiting.incrementAndGet() <= MAX_WAITING) {
      channel.pipeline().addLast(new ProxyHeaderHandler(this, peer, receiver));
      return;
    }
    if (trusted) {
      waiting.decrementAndGet();
    }
    receiver.refused(
        trusted ? "too many connections wait for their PROXY header" : "not a trusted proxy");
    channel.close();
  }

  Duration time() {
    return time;
  }

  /// A connection no longer waits.
  void ended() {
    waiting.decrementAndGet();
  }

  /// How many connections wait for their header.
  int waiting() {
    return waiting.get();
  }
}
