package im.zonda.stream.server;

import im.zonda.hash.HashFunction;
import im.zonda.module.Xep;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Makes and checks the keys of server dialback from a secret that all servers of our domains
/// share. Immutable.
@Xep(number = 185, version = "1.0", title = "Dialback Key Generation and Validation")
public final class DialbackKeys {
  private static final String HMAC = "HmacSHA256";

  private final SecretKeySpec secret;

  /// Keys from that secret.
  public DialbackKeys(String secret) {
    String hash = HashFunction.SHA_256.hex(secret);
    this.secret = new SecretKeySpec(hash.getBytes(StandardCharsets.US_ASCII), HMAC);
  }

  /// The key for a stream.
  ///
  /// @param receiving the domain of the server that the stream was opened to
  /// @param originating the domain of the server that has opened the stream
  /// @param id the stream identifier that the receiving server has given
  public String make(String receiving, String originating, String id) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(secret);
      String text = receiving + " " + originating + " " + id;
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a JDK without HMAC-SHA256", e);
    }
  }

  /// Whether `key` is the one that [#make] returns; takes as long for any key.
  boolean check(String key, String receiving, String originating, String id) {
    return MessageDigest.isEqual(
        key.getBytes(StandardCharsets.UTF_8),
        make(receiving, originating, id).getBytes(StandardCharsets.UTF_8));
  }
}
