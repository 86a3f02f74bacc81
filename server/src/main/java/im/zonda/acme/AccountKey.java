package im.zonda.acme;

import im.zonda.hash.HashFunction;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;

/// The key of an account at the authority: signs requests with ES256 (RFC 7515, RFC 7518).
final class AccountKey {
  private static final int COORDINATE_BYTES = 32;

  private final KeyPair pair;

  /// @param pair ECDSA keys on P-256
  AccountKey(KeyPair pair) {
    this.pair = pair;
  }

  /// The public key as JSON, its members in the order of RFC 7638.
  String jwk() {
    ECPublicKey key = (ECPublicKey) pair.getPublic();
    return "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\""
        + coordinate(key.getW().getAffineX())
        + "\",\"y\":\""
        + coordinate(key.getW().getAffineY())
        + "\"}";
  }

  private static String coordinate(BigInteger value) {
    byte[] bytes = value.toByteArray();
    byte[] fixed = new byte[COORDINATE_BYTES];
    int size = Math.min(bytes.length, COORDINATE_BYTES);
    System.arraycopy(bytes, bytes.length - size, fixed, COORDINATE_BYTES - size, size);
    return base64(fixed);
  }

  /// The key authorization of a challenge (RFC 8555, section 8.1).
  String authorization(String token) {
    return token + "." + base64(HashFunction.SHA_256.hash(jwk()));
  }

  /// A signed request.
  ///
  /// @param header the protected header
  /// @param payload the content
  String sign(String header, String payload) {
    String signed = base64(utf8(header)) + "." + base64(utf8(payload));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(pair.getPrivate());
      signature.update(utf8(signed));
      return "{\"protected\":\""
          + base64(utf8(header))
          + "\",\"payload\":\""
          + base64(utf8(payload))
          + "\",\"signature\":\""
          + base64(signature.sign())
          + "\"}";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot sign with ECDSA", e);
    }
  }

  /// Base64url without padding.
  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
