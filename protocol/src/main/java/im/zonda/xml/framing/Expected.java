package im.zonda.xml.framing;

/// What may come next in a stream.
enum Expected {
  DECLARATION_OR_HEADER,
  HEADER,
  ELEMENT_OR_CLOSE
}
