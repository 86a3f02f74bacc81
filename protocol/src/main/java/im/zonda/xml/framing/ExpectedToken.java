package im.zonda.xml.framing;

/// The kind of token that is allowed next in a stream.
enum ExpectedToken {
  /// An XML declaration or the stream header.
  STREAM_START,

  HEADER,
  ELEMENT_OR_CLOSE
}
