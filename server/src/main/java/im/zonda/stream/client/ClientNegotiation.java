package im.zonda.stream.client;

import im.zonda.stream.HeaderReply;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import org.jspecify.annotations.Nullable;

/// Negotiates a client's stream until a resource is bound (RFC 6120, sections 4 to 7). Called on
/// the stream's thread only.
public interface ClientNegotiation {
  /// Answers the client's stream header; null if the answer follows later
  /// ([im.zonda.stream.Stream#open(im.zonda.stream.StreamOpening)]).
  @Nullable HeaderReply answer(StreamHeader header);

  /// Offers features to a client whose header has been answered by [#answer].
  void opened();

  /// Handles a first-level element.
  void receive(Frame frame);

  /// The stream has ended before a resource was bound.
  void ended();
}
