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
public interface AcceptedChannel {
  /// Sets up the handlers of accepted connections.
  @FunctionalInterface
  interface Setup {
    /// Adds the handlers of a connection. Called on its event loop.
    void set(AcceptedChannel accepted);
  }

  /// How a stream of elements is on a connection that is not one of bare XML (RFC 7395). Confined
  /// to the event loop.
  interface Framing {
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
  enum Declares {
    NOTHING,
    /// `jabber:client`.
    CONTENT,
    /// That, and the prefix of the stream.
    STREAM
  }

  /// The connection.
  Channel channel();

  /// The address of the client.
  InetAddress remoteAddress();

  /// The connection is that of a client behind a proxy, and counts for the client's address from
  /// now on; false if that has too many.
  boolean isFor(InetAddress client);

  /// Whether a client behind a proxy may send requests; not if its network is banned.
  default boolean accepts(InetAddress client) {
    return true;
  }

  /// Whether the connection begins with TLS.
  boolean isDirectTls();

  /// TLS for the connection.
  TlsHandler newTls(TlsStart start);

  /// Whether it may become a stream; not while the server only keeps the streams that it has.
  boolean mayBecomeStream();

  /// Makes it a client's stream from now on. Its pipeline may have no other handlers than TLS and
  /// those that are removed within this turn.
  ///
  /// @param secure whether the client's connection is encrypted, be it only up to a proxy
  void becomeStream(Framing framing, boolean secure);

  /// Closes it at once.
  void cut();
}
