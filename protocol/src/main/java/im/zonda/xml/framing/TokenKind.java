package im.zonda.xml.framing;

/// What has been read from a stream.
enum TokenKind {
  DECLARATION,
  HEADER,
  EMPTY_HEADER,
  ELEMENT,
  CLOSE
}
