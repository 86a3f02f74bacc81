package im.zonda.stream;

import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// The connection that carries a stream: TCP, a WebSocket, a test. It has a form of its own for
/// headers, elements and the end of a stream.
///
/// A stream and its transport share one thread, the *stream's thread*: the transport calls the
/// [Stream] on it only, and all methods here except [#deliver], [#enqueue] and [#execute] are
/// called on it only. What is written goes out in the order of the calls, at the end of the
/// thread's turn.
public interface StreamTransport {
  /// Writes the server's stream header.
  void open(StreamOpening opening);

  /// Writes a first-level element.
  void write(Element element);

  /// Writes the closing tag of the stream.
  void closeStream();

  /// Writes a stanza of the stream's own.
  void write(Stanza stanza);

  /// Sends a stanza of the session's from any thread, after all that was sent or enqueued before.
  /// Once the bytes of stanzas that are to be reported have left, and only then, the transport
  /// calls [Stream#written]. Does nothing after [#close].
  void deliver(ToStream.Deliver deliver);

  /// Runs `task` later on the stream's thread, never within the call, after the stanzas that were
  /// delivered before and before those that are delivered later. What the task writes goes between
  /// them. May be called by any thread; does nothing after [#close].
  void enqueue(Runnable task);

  /// Runs `task` later on the stream's thread; never within the call. May be called by any thread.
  /// Once the transport is gone the task may run on another thread, alone.
  void execute(Runnable task);

  /// Begins TLS. What was written so far still goes in the clear. [Stream#secured] is called when
  /// the handshake has succeeded; the connection is closed when it fails.
  void startTls(TlsStart start);

  /// Closes the connection once what was written has left, or after a few seconds; then the
  /// transport calls [Stream#outputEnded]. What is still received is discarded. More calls do
  /// nothing.
  void close();

  /// Whether a peer notices [#close] without [#closeStream] before it, as a connection that breaks.
  default boolean mayBreak() {
    return true;
  }

  /// Whether the transport reads from the peer. What is on its way may still come.
  void reading(boolean on);

  /// The peer has authenticated.
  default void authenticated() {}

  /// Counts a received stanza.
  void received();

  /// Milliseconds of a coarse clock that only goes forward.
  long now();

  /// Whether the connection is encrypted.
  boolean secure();

  /// Whether [#startTls] is possible.
  default boolean canStartTls() {
    return !secure();
  }

  /// Whether the peer is on this machine.
  default boolean loopback() {
    return remoteAddress().isLoopbackAddress();
  }

  /// The peer's address.
  InetAddress remoteAddress();

  /// The certificates that the peer has presented, or null if it has presented none or was not
  /// asked for any ([TlsStart#requestsCertificate]; the server side of TLS always presents one).
  default @Nullable PeerCertificates peerCertificates() {
    return null;
  }

  /// The version of TLS of the connection, as two bytes in hexadecimal digits, such as `0304` for
  /// TLS 1.3 (RFC 8446, section 4.2.1); null if it is not encrypted.
  default @Nullable String tlsVersion() {
    return null;
  }

  /// The channel binding data of the connection, or null if there is none of that kind.
  byte @Nullable [] channelBinding(ChannelBinding kind);
}
