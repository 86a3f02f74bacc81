package im.zonda.provider.jwt;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/// The algorithms of signatures (RFC 7518, section 3.1; RFC 8037, section 3.1), each with the type
/// of its keys: a key serves no algorithm of another type.
public enum SignatureAlgorithm {
  HS256(Type.SECRET, "HmacSHA256", 256),
  HS384(Type.SECRET, "HmacSHA384", 384),
  HS512(Type.SECRET, "HmacSHA512", 512),
  RS256(Type.RSA, "SHA256withRSA", 256),
  RS384(Type.RSA, "SHA384withRSA", 384),
  RS512(Type.RSA, "SHA512withRSA", 512),
  PS256(Type.RSA_PSS, "SHA-256", 256),
  PS384(Type.RSA_PSS, "SHA-384", 384),
  PS512(Type.RSA_PSS, "SHA-512", 512),
  ES256(Type.CURVE, "SHA256withECDSAinP1363Format", 256),
  ES384(Type.CURVE, "SHA384withECDSAinP1363Format", 384),
  ES512(Type.CURVE, "SHA512withECDSAinP1363Format", 521),
  /// Ed25519.
  EDDSA(Type.EDWARDS, "Ed25519", 256);

  private enum Type {
    SECRET,
    RSA,
    RSA_PSS,
    CURVE,
    EDWARDS
  }

  /// The fewest and most bits of an RSA key. Checking takes longer with the size.
  private static final int MIN_RSA_BITS = 2_048;

  private static final int MAX_RSA_BITS = 16_384;

  private final Type type;
  private final String javaName;
  private final int bits;

  SignatureAlgorithm(Type type, String javaName, int bits) {
    this.type = type;
    this.javaName = javaName;
    this.bits = bits;
  }

  /// The name in headers of tokens and in the settings.
  public String jwtName() {
    return this == EDDSA ? "EdDSA" : name();
  }

  /// Whether it has a shared secret and no public key.
  public boolean isSecret() {
    return type == Type.SECRET;
  }

  /// The fewest bytes of its secret (RFC 7518, section 3.2).
  public int minSecretBytes() {
    return bits / Byte.SIZE;
  }

  /// The algorithm with that name; null if there is none, or if it is one without a signature.
  public static @Nullable SignatureAlgorithm ofName(@Nullable String name) {
    for (SignatureAlgorithm each : values()) {
      if (each.jwtName().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /// Whether a key is of its type and long enough.
  boolean fits(Key key) {
    return switch (type) {
      case SECRET ->
          key instanceof SecretKey secret && secret.getEncoded().length >= minSecretBytes();
      case RSA, RSA_PSS ->
          key instanceof RSAPublicKey rsa
              && rsa.getModulus().bitLength() >= MIN_RSA_BITS
              && rsa.getModulus().bitLength() <= MAX_RSA_BITS;
      case CURVE ->
          key instanceof ECPublicKey curve
              && curve.getParams().getCurve().getField().getFieldSize() == bits
              && curve.getParams().getOrder().bitLength() == bits;
      case EDWARDS ->
          key instanceof EdECPublicKey edwards && edwards.getParams().getName().equals(javaName);
    };
  }

  /// Whether a signature is right.
  ///
  /// @param key one that [#fits]
  boolean verifies(Key key, byte[] signed, byte[] signature) {
    if (!fits(key)) {
      return false;
    }
    try {
      return switch (type) {
        case SECRET -> {
          Mac mac = Mac.getInstance(javaName);
          mac.init(key);
          yield MessageDigest.isEqual(mac.doFinal(signed), signature);
        }
        case RSA, CURVE, EDWARDS ->
            verifies(Signature.getInstance(javaName), key, signed, signature);
        case RSA_PSS -> {
          Signature pss = Signature.getInstance("RSASSA-PSS");
          pss.setParameter(
              new PSSParameterSpec(
                  javaName,
                  "MGF1",
                  new MGF1ParameterSpec(javaName),
                  bits / Byte.SIZE,
                  PSSParameterSpec.TRAILER_FIELD_BC));
          yield verifies(pss, key, signed, signature);
        }
      };
    } catch (SignatureException e) {
      return false; // not even the form of one
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot check " + this, e);
    }
  }

  private static boolean verifies(Signature check, Key key, byte[] signed, byte[] signature)
      throws GeneralSecurityException {
    check.initVerify((PublicKey) key);
    check.update(signed);
    return check.verify(signature);
  }
}
