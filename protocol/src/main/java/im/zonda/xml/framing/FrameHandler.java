package im.zonda.xml.framing;

import im.zonda.xml.StreamHeader;

/// What a framer tells of: the stream header, each complete first-level element, the stream's end.
public interface FrameHandler {
  /// The stream header has been read. Its attributes and namespace are checked by the stream, not
  /// here.
  void onStreamOpen(StreamHeader header);

  /// A complete first-level element has been read. The frame owns its bytes and may be kept.
  void onFrame(Frame frame);

  /// The closing tag of the stream has been read; nothing follows.
  void onStreamClose();
}
