package im.zonda.http.page;

import im.zonda.hash.HashFunction;
import im.zonda.http.HttpException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// A hidden field by which a form proves that it comes from a page of this server: a hash of the
/// browser's cookie, which pages of other sites cannot read.
public final class FormToken {
  /// The name of the field.
  public static final String FIELD = "token";

  private FormToken() {}

  /// The token for a browser.
  ///
  /// @param cookie the value of its cookie
  public static String of(String cookie) {
    return HashFunction.SHA_256.hex("form of " + cookie);
  }

  /// Checks the field of a form.
  ///
  /// @throws HttpException 403 if it has not that token
  public static void check(FormData form, String token) {
    byte[] given = form.get(FIELD).getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(given, token.getBytes(StandardCharsets.UTF_8))) {
      throw new HttpException(403, "the form is too old: open its page again");
    }
  }
}
