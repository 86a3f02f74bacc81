package im.zonda.xml.framing;

import im.zonda.xml.StreamHeader;

/// Receiver of the events of a framer: stream header, complete first-level elements, end of the
/// stream.
public interface FrameHandler {
  /// The stream header has been read. The framer does not check its attributes and namespace.
  void onStreamOpen(StreamHeader header);

  /// A complete first-level element has been read. The frame owns its bytes and may be kept.
  void onFrame(Frame frame);

  /// The closing tag of the stream has been read; nothing follows.
  void onStreamClose();
}
