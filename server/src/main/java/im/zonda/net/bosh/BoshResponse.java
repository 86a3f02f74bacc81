package im.zonda.net.bosh;

/// The response to one request.
///
/// @param status the status of HTTP
/// @param type the media type
/// @param body the `<body/>`; empty for a client that gets a status only
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
record BoshResponse(int status, String type, byte[] body) {
  /// The media type that a client gets unless it has asked for another one.
  static final String XML = "text/xml; charset=utf-8";

  private static final byte[] NOTHING = {};

  /// A `<body/>`.
  static BoshResponse of(BoshTerms terms, byte[] body) {
    return new BoshResponse(200, terms.contentType(), body);
  }

  /// The end of a session, or of an attempt to use one.
  static BoshResponse end(BoshTerms terms, BoshCondition condition) {
    return terms.legacy() && condition.legacyStatus() != 200
        ? new BoshResponse(condition.legacyStatus(), terms.contentType(), NOTHING)
        : of(terms, new BodyWriter().terminate(condition).toBytes());
  }
}
