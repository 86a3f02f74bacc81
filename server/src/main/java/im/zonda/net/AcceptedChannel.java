package im.zonda.net;

import im.zonda.net.tls.TlsHandler;
import im.zonda.stream.TlsStart;
import io.netty.channel.Channel;
import java.net.InetAddress;

/// A connection that was accepted for another protocol than XMPP's own, such as HTTP. Confined to
/// the event loop of its channel.
public final class AcceptedChannel implements Admission.Member {
  private final NetServer server;
  private final Channel channel;
  private final InetAddress address;
  private final Listener.Kind kind;
  private final Admission admission;

  /// Sets up the handlers of accepted connections.
  @FunctionalInterface
  public interface Setup {
    /// Adds the handlers of a connection. Called on its event loop.
    void set(AcceptedChannel accepted);
  }

  AcceptedChannel(
      NetServer server,
      Channel channel,
      InetAddress address,
      Listener.Kind kind,
      Admission admission) {
    this.server = server;
    this.channel = channel;
    this.address = address;
    this.kind = kind;
    this.admission = admission;
  }

  /// Adds the handlers, and counts the connection until it is closed.
  @SuppressWarnings("FutureReturnValueIgnored") // the listener is added to the close future
  void open(Setup setup, Loop loop) {
    setup.set(this);
    channel.closeFuture().addListener(closed -> admission.leave(this));
    admission.enter(this, loop);
  }

  /// The connection.
  public Channel channel() {
    return channel;
  }

  @Override
  public InetAddress remoteAddress() {
    return address;
  }

  /// Whether the connection begins with TLS.
  public boolean isDirectTls() {
    return kind.isDirectTls();
  }

  /// TLS for the connection.
  public TlsHandler newTls(TlsStart start) {
    return server.newTls(start, address);
  }

  @Override
  public void execute(Runnable task) {
    channel.eventLoop().execute(task);
  }

  @Override
  public void cut() {
    channel.unsafe().close(channel.newPromise());
  }
}
