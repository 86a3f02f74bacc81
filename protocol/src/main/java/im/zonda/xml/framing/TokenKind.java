package im.zonda.xml.framing;

/// Kind of a token of a stream.
enum TokenKind {
  DECLARATION,
  HEADER,
  EMPTY_HEADER,
  ELEMENT,
  CLOSE
}
