package im.zonda.provider.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// A key by which signatures are checked.
///
/// @param id its name (`kid`), or null
/// @param algorithm the only algorithm for which it may be used, or null for all of its type
/// @param key a public key, or a shared secret
record VerificationKey(@Nullable String id, @Nullable String algorithm, Key key) {
  /// The most keys of a set; further ones are left out.
  static final int MOST = 100;

  /// What precedes the 32 bytes of an Ed25519 key in its encoding (RFC 8410, section 4).
  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final int ED25519_BYTES = 32;

  /// The keys of a JWK set (RFC 7517, section 5) that can check signatures. Others are left out, as
  /// the standard says: sets have keys for encryption and of types to come.
  ///
  /// @param secrets whether it may have shared secrets: not one that anyone can read
  /// @throws ParseException if it is none
  static List<VerificationKey> ofSet(Map<String, Object> set, boolean secrets)
      throws ParseException {
    if (!(set.get("keys") instanceof List<?> entries)) {
      throw new ParseException("a JWK set without keys", 0);
    }
    List<VerificationKey> keys = new ArrayList<>();
    for (Object entry : entries) {
      VerificationKey key = entry instanceof Map<?, ?> members ? ofEntry(members, secrets) : null;
      if (key != null && keys.size() < MOST) {
        keys.add(key);
      }
    }
    return List.copyOf(keys);
  }

  /// The key of one entry, or null if it has none of use.
  static @Nullable VerificationKey ofEntry(Map<?, ?> entry, boolean secrets) {
    try {
      @SuppressWarnings("unchecked") // the names of the members of a JSON object
      JWK jwk = JWK.parse((Map<String, Object>) entry);
      if (jwk.getKeyUse() != null && !jwk.getKeyUse().equals(KeyUse.SIGNATURE)) {
        return null;
      }
      Key key = publicKey(jwk, secrets);
      String algorithm = jwk.getAlgorithm() == null ? null : jwk.getAlgorithm().getName();
      return key == null ? null : new VerificationKey(jwk.getKeyID(), algorithm, key);
    } catch (ParseException
        | JOSEException
        | GeneralSecurityException
        | IllegalArgumentException
        | IllegalStateException e) {
      return null;
    }
  }

  private static @Nullable Key publicKey(JWK jwk, boolean secrets)
      throws JOSEException, GeneralSecurityException {
    return switch (jwk) {
      case RSAKey rsa -> rsa.toRSAPublicKey();
      case ECKey curve -> curve.toECPublicKey();
      case OctetKeyPair edwards -> ed25519(edwards.getDecodedX());
      case OctetSequenceKey secret -> secrets ? secret(secret.toByteArray()) : null;
      default -> null;
    };
  }

  private static @Nullable Key ed25519(byte[] x) throws GeneralSecurityException {
    if (x.length != ED25519_BYTES) {
      return null;
    }
    byte[] encoded =
        ByteBuffer.allocate(ED25519_PREFIX.length + x.length).put(ED25519_PREFIX).put(x).array();
    return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
  }

  /// A shared secret.
  static Key secret(byte[] secret) {
    return new SecretKeySpec(secret, "HMAC");
  }

  /// Whether it may check a signature of that algorithm.
  boolean serves(SignatureAlgorithm wanted) {
    return (algorithm == null || algorithm.equals(wanted.jwtName())) && wanted.fits(key);
  }

  /// Without the key, which may be a secret.
  @Override
  public String toString() {
    return "VerificationKey[id=" + id + ", type=" + key.getAlgorithm() + "]";
  }
}
