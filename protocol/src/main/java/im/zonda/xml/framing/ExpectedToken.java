package im.zonda.xml.framing;

/// The kind of token that is allowed next in a stream.
enum ExpectedToken {
  DECLARATION_OR_HEADER,
  HEADER,
  ELEMENT_OR_CLOSE
}
