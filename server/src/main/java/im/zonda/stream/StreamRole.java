package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import org.jspecify.annotations.Nullable;

/// The role of a stream's peer: a client, another server, a component. It decides on headers,
/// features, authentication, and what happens with each first-level element.
///
/// Called on the stream's thread only. It acts through its [Stream].
public interface StreamRole {
  /// Makes roles.
  @FunctionalInterface
  interface Factory {
    /// The role of a new stream. The stream must not be used before this has returned.
    StreamRole create(Stream stream);
  }

  /// The connection is ready. The initiating entity sends its header ([Stream#open]), unless it
  /// speaks TLS first.
  default void connected() {}

  /// TLS is established; the peer's certificates can be looked at
  /// ([StreamTransport#peerCertificates]).
  default void secured() {}

  /// Answers the header of a peer that has opened the stream, which has the right form; null if the
  /// role answers later by [Stream#open(StreamOpening)]. Not called on the initiating side.
  @Nullable HeaderReply answer(StreamHeader header);

  /// Both headers have been sent. The receiving entity sends its features.
  ///
  /// @param header the peer's header
  /// @param id the stream identifier; null if the receiving peer has given none
  void opened(StreamHeader header, @Nullable String id);

  /// Handles a first-level element.
  void receive(Frame frame);

  /// Called before output is flushed: the last chance to add to it.
  default void flushing() {}

  /// The bytes of the stanzas that were to be reported have left, up to that number
  /// ([im.zonda.link.ToStream.Deliver]). Also called after the end of the stream.
  default void written(long number) {}

  /// Looks at the time, which is `now`, once the stream is established. Returns false if the peer
  /// has not answered for too long.
  default boolean tick(long now) {
    return true;
  }

  /// Asks the peer for a sign of life.
  void ping();

  /// Whether the peer can resume its session on another stream.
  default boolean isResumable() {
    return false;
  }

  /// Called when the server stops, before the stream ends.
  default void stopping() {}

  /// Writes what the peer must know before the stream closes.
  default void closing() {}

  /// The stream has ended: its output may still leave. Only [#written] and [#outputEnded] follow.
  ///
  /// @param lost whether the peer is not to blame and may come back, as when the connection broke
  void ended(boolean lost);

  /// After [#ended]: what has not been reported by [#written] will not leave. The last call.
  default void outputEnded() {}

  /// The address as which the peer has been accepted, or null.
  @Nullable Jid peer();
}
