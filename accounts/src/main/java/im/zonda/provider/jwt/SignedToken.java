package im.zonda.provider.jwt;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A token in its compact form (RFC 7515, section 7.1), of which nothing was checked.
///
/// @param header the header
/// @param claims the claims
/// @param signed what the signature covers
/// @param signature the signature
@SuppressWarnings("ArrayRecordComponent") // read once, compared never
record SignedToken(Map<String, Object> header, Claims claims, byte[] signed, byte[] signature) {
  /// The most characters of a token.
  static final int MOST_CHARS = 8_192;

  private static final int PARTS = 3;

  /// Reads a token.
  ///
  /// @throws TokenException if it is none
  static SignedToken parse(String text) throws TokenException {
    if (text.length() > MOST_CHARS) {
      throw TokenException.wrong("the token has more than " + MOST_CHARS + " characters");
    }
    List<String> parts = List.of(text.split("\\.", -1));
    if (parts.size() != PARTS) {
      throw TokenException.foreign("it is not a signed token: it does not have three parts");
    }
    return new SignedToken(
        json("header", parts.get(0)),
        new Claims(json("claims", parts.get(1))),
        (parts.get(0) + '.' + parts.get(1)).getBytes(StandardCharsets.US_ASCII),
        bytes("signature", parts.get(2)));
  }

  private static Map<String, Object> json(String part, String text) throws TokenException {
    try {
      return JsonObjects.parse(bytes(part, text));
    } catch (ParseException e) {
      throw TokenException.foreign("the " + part + " of the token is not a JSON object");
    }
  }

  /// Base64url without padding, in the one form that an encoder makes.
  private static byte[] bytes(String part, String text) throws TokenException {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text)) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // answered below
    }
    throw TokenException.foreign("the " + part + " of the token is not Base64");
  }

  /// A text of the header; null if it has none of that name.
  ///
  /// @throws TokenException if it is something else than a text
  @Nullable String headerText(String name) throws TokenException {
    return switch (header.get(name)) {
      case null -> null;
      case String text -> text;
      case Object _ -> throw TokenException.wrong("the header's " + name + " is not a text");
    };
  }

  /// Without anything of the token.
  @Override
  public String toString() {
    return "SignedToken";
  }
}
