package im.zonda.net;

import im.zonda.net.tls.TlsHandler;
import im.zonda.stream.ByteStream;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.TlsStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.function.Consumer;

/// A connection that was accepted for another protocol than XMPP's own, such as HTTP. Confined to
/// the event loop of its channel.
public final class AcceptedChannel implements Admission.Member {
  private final NetServer server;
  private final Channel channel;
  private InetAddress address;
  private final Listener.Kind kind;
  private final Admission admission;
  private boolean isStream;

  /// Sets up the handlers of accepted connections.
  @FunctionalInterface
  public interface Setup {
    /// Adds the handlers of a connection. Called on its event loop.
    void set(AcceptedChannel accepted);
  }

  /// How a stream of elements is on a connection that is not one of bare XML (RFC 7395). Confined
  /// to the event loop.
  public interface Framing {
    /// Takes what the peer has sent; the bytes may be changed.
    ///
    /// @param out takes bytes for the peer that belong to no element
    /// @return false if the peer has closed the connection, or must be
    boolean input(byte[] bytes, int length, ByteStream stream, Consumer<byte[]> out);

    /// Writes the server's stream header.
    void open(StreamOpening opening, ByteBuf target);

    /// Writes the end of the server's stream, after which nothing is written.
    void close(ByteBuf target);

    /// Makes room for what goes before an element; returns where that begins.
    int begin(ByteBuf target, Declares declares);

    /// An element has been written since [#begin].
    void end(ByteBuf target, int start, Declares declares);
  }

  /// The namespaces that an element inherits from the stream, and has to declare on its own.
  public enum Declares {
    NOTHING,
    /// `jabber:client`.
    CONTENT,
    /// That, and the prefix of the stream.
    STREAM
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
    channel
        .closeFuture()
        .addListener(closed -> {
          if (!isStream) {
            admission.leave(this);
          }
        });
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

  /// The connection is that of a client behind a proxy, and counts for the client's address from
  /// now on; false if that has too many.
  public boolean isFor(InetAddress client) {
    if (client.equals(address)) {
      return true;
    }
    if (!admission.move(this, client, server.loopOf(channel))) {
      return false;
    }
    address = client;
    return true;
  }

  /// Whether the connection begins with TLS.
  public boolean isDirectTls() {
    return kind.isDirectTls();
  }

  /// TLS for the connection.
  public TlsHandler newTls(TlsStart start) {
    return server.newTls(start, address);
  }

  /// Whether it may become a stream; not while the server only keeps the streams that it has.
  public boolean mayBecomeStream() {
    return server.isAccepting();
  }

  /// Makes it a client's stream from now on. Its pipeline may have no other handlers than TLS and
  /// those that are removed within this turn.
  ///
  /// @param secure whether the client's connection is encrypted, be it only up to a proxy
  public void becomeStream(Framing framing, boolean secure) {
    isStream = true;
    Loop loop = server.loopOf(channel);
    Connection connection =
        new Connection(server, loop, channel, address, admission.profile(), admission);
    connection.frame(framing, secure);
    channel.pipeline().addLast(connection);
    admission.replace(this, connection, loop);
    connection.channelActive(channel.pipeline().context(connection));
    channel.config().setAutoRead(true);
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
