package im.zonda.stream.sasl;

import java.util.Locale;
import java.util.regex.Pattern;

/// The one message of the mechanism OAUTHBEARER (RFC 7628, section 3.1).
///
/// @param authzid the authorization identity; empty for the user's own
/// @param token the token; empty if the client asks where it gets one (XEP-0493, section 3.2.1)
record BearerMessage(String authzid, String token) {
  private static final char SEPARATOR = '\u0001';
  private static final String END = "\u0001\u0001";
  private static final String SCHEME = "bearer";

  /// The most characters of a token.
  private static final int MOST_CHARS = 8_192;

  /// RFC 6750, section 2.1.
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]*=*");

  /// Reads a header of GS2 (RFC 5801, section 4) and pairs of names and values. The address that
  /// the client has connected to is in some; it is not needed.
  ///
  /// @throws SaslFailure `malformed-request` if it is not that
  static BearerMessage parse(byte[] bytes) throws SaslFailure {
    String text = SaslText.decode(bytes, 0, bytes.length);
    int separator = text.indexOf(SEPARATOR);
    String header = separator < 0 ? text : text.substring(0, separator);
    if (separator < 0
        || text.indexOf(END, separator + 1) != text.length() - END.length()
        || !(header.startsWith("n,") || header.startsWith("y,"))
        || header.indexOf(',', 2) != header.length() - 1) {
      throw malformed("no header and pairs");
    }
    String authzid = header.substring(2, header.length() - 1);
    if (!authzid.isEmpty()) {
      if (!authzid.startsWith("a=")) {
        throw malformed("authzid");
      }
      authzid = ScramServer.saslName(authzid.substring(2));
    }
    String authorization = null;
    for (String pair : text.substring(separator + 1, text.length() - 2).split("\u0001", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw malformed("a pair without a name");
      }
      if (pair.startsWith("auth=")) {
        if (authorization != null) {
          throw malformed("auth twice");
        }
        authorization = pair.substring(equals + 1);
      }
    }
    if (authorization == null) {
      throw malformed("no auth");
    }
    return new BearerMessage(authzid, token(authorization));
  }

  private static String token(String authorization) throws SaslFailure {
    String text = authorization.strip();
    int blank = text.indexOf(' ');
    String scheme = (blank < 0 ? text : text.substring(0, blank)).toLowerCase(Locale.ROOT);
    if (text.isEmpty() || (blank < 0 && scheme.equals(SCHEME))) {
      return "";
    }
    String token = text.substring(blank + 1).strip();
    if (!scheme.equals(SCHEME) || token.length() > MOST_CHARS || !TOKEN.matcher(token).matches()) {
      throw malformed("no bearer token");
    }
    return token;
  }

  private static SaslFailure malformed(String reason) {
    return new SaslFailure(SaslCondition.MALFORMED_REQUEST, reason);
  }

  @Override
  public String toString() {
    return "OAUTHBEARER message";
  }
}
