package im.zonda.xml;

/// Cuts the bytes of one stream into its header, its first-level elements and its end.
///
/// It is the only thing that decides where a stanza ends. One pass: strict UTF-8, restricted XML
/// (RFC 6120, section 11.1), namespaces, well-formedness and limits. Not thread-safe.
public final class XmppFramer {
  /// A framer that expects a stream header first.
  public XmppFramer(XmlLimits limits, FrameHandler handler) {
    throw new IllegalStateException("in progress" + limits + handler);
  }

  /// Reads the next bytes of the stream; the array may be reused after the call.
  ///
  /// The handler may call [#reset], [#limits] or [#pause] from within a callback.
  ///
  /// @throws XmlException if the stream must end; every later call throws the same
  public void feed(byte[] bytes, int offset, int length) throws XmlException {
    throw new IllegalStateException("in progress");
  }

  /// Forgets the stream and expects a new header (after TLS or SASL). Bytes after the element that
  /// caused it are read as part of the new stream.
  public void reset() {
    throw new IllegalStateException("in progress");
  }

  /// Changes the limits from the next first-level element on.
  public void limits(XmlLimits limits) {
    throw new IllegalStateException("in progress" + limits);
  }

  /// Stops: the bytes of this call that are left are dropped (used before a TLS handshake).
  ///
  /// [#droppedBytes] says how many bytes were dropped.
  public void pause() {
    throw new IllegalStateException("in progress");
  }

  /// The bytes that came after [#pause] in the same call; more than 0 before TLS is an attack.
  public int droppedBytes() {
    throw new IllegalStateException("in progress");
  }
}
