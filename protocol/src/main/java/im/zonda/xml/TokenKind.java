package im.zonda.xml;

/// What has been read from a stream.
enum TokenKind {
  DECLARATION,
  HEADER,
  EMPTY_HEADER,
  ELEMENT,
  CLOSE
}
