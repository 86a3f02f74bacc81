package im.zonda.testkit.issuer;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// A key that signs tokens.
///
/// @param id its name (`kid`)
/// @param algorithm the name of its algorithm, such as `ES256`
/// @param pair its keys; null for a shared secret
/// @param secret the shared secret, or null
@SuppressWarnings("ArrayRecordComponent") // compared never
public record SigningKey(
    String id, String algorithm, @Nullable KeyPair pair, byte @Nullable [] secret) {
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  private static final int ED25519_PREFIX = 12;

  /// A new key of that algorithm.
  public static SigningKey create(String id, String algorithm) {
    try {
      KeyPairGenerator generator =
          KeyPairGenerator.getInstance(
              switch (algorithm.substring(0, 2)) {
                case "RS", "PS" -> "RSA";
                case "ES" -> "EC";
                default -> "Ed25519";
              });
      switch (algorithm) {
        case "ES256" -> generator.initialize(new ECGenParameterSpec("secp256r1"));
        case "ES384" -> generator.initialize(new ECGenParameterSpec("secp384r1"));
        case "ES512" -> generator.initialize(new ECGenParameterSpec("secp521r1"));
        case "EdDSA" -> {}
        default -> generator.initialize(2_048);
      }
      return new SigningKey(id, algorithm, generator.generateKeyPair(), null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A shared secret.
  public static SigningKey secret(String algorithm, byte[] secret) {
    return new SigningKey("secret", algorithm, null, secret.clone());
  }

  /// The same key for another algorithm.
  public SigningKey as(String other) {
    return new SigningKey(id, other, pair, secret);
  }

  /// The same key with another name.
  public SigningKey named(String other) {
    return new SigningKey(other, algorithm, pair, secret);
  }

  /// The public key.
  public Key publicKey() {
    if (pair == null) {
      throw new IllegalStateException("a shared secret");
    }
    return pair.getPublic();
  }

  /// The public key as a JWK.
  public Map<String, Object> jwk() {
    Map<String, Object> jwk = new LinkedHashMap<>();
    jwk.put("kid", id);
    jwk.put("use", "sig");
    switch (pair == null ? null : pair.getPublic()) {
      case null -> {
        jwk.put("kty", "oct");
        jwk.put("k", BASE64.encodeToString(secret));
      }
      case RSAPublicKey rsa -> {
        jwk.put("kty", "RSA");
        jwk.put("n", unsigned(rsa.getModulus().toByteArray(), 0));
        jwk.put("e", unsigned(rsa.getPublicExponent().toByteArray(), 0));
      }
      case ECPublicKey curve -> {
        int bits = curve.getParams().getCurve().getField().getFieldSize();
        jwk.put("kty", "EC");
        jwk.put("crv", "P-" + bits);
        jwk.put("x", unsigned(curve.getW().getAffineX().toByteArray(), (bits + 7) / 8));
        jwk.put("y", unsigned(curve.getW().getAffineY().toByteArray(), (bits + 7) / 8));
      }
      case Key edwards -> {
        byte[] encoded = edwards.getEncoded();
        jwk.put("kty", "OKP");
        jwk.put("crv", "Ed25519");
        jwk.put(
            "x",
            BASE64.encodeToString(Arrays.copyOfRange(encoded, ED25519_PREFIX, encoded.length)));
      }
    }
    return jwk;
  }

  private static String unsigned(byte[] number, int length) {
    byte[] plain =
        number.length > 1 && number[0] == 0 ? Arrays.copyOfRange(number, 1, number.length) : number;
    byte[] padded = new byte[Math.max(length, plain.length)];
    System.arraycopy(plain, 0, padded, padded.length - plain.length, plain.length);
    return BASE64.encodeToString(padded);
  }

  /// A token with those claims.
  public String token(Map<String, ?> claims) {
    return token(Map.of("alg", algorithm, "kid", id, "typ", "JWT"), JsonText.of(claims));
  }

  /// A token with that header and those claims, which may be anything.
  public String token(Map<String, ?> header, String claims) {
    String signed = encode(JsonText.of(header)) + '.' + encode(claims);
    return signed + '.' + BASE64.encodeToString(sign(signed.getBytes(StandardCharsets.UTF_8)));
  }

  private static String encode(String text) {
    return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] sign(byte[] signed) {
    String bits = algorithm.substring(2);
    try {
      if (secret != null) {
        Mac mac = Mac.getInstance("HmacSHA" + bits);
        mac.init(new SecretKeySpec(secret, mac.getAlgorithm()));
        return mac.doFinal(signed);
      }
      Signature signature =
          Signature.getInstance(
              switch (algorithm.substring(0, 2)) {
                case "RS" -> "SHA" + bits + "withRSA";
                case "PS" -> "RSASSA-PSS";
                case "ES" -> "SHA" + bits + "withECDSAinP1363Format";
                default -> "Ed25519";
              });
      if (algorithm.startsWith("PS")) {
        signature.setParameter(
            new PSSParameterSpec(
                "SHA-" + bits,
                "MGF1",
                new MGF1ParameterSpec("SHA-" + bits),
                Integer.parseInt(bits) / 8,
                1));
      }
      if (pair == null) {
        throw new IllegalStateException("no key");
      }
      signature.initSign(pair.getPrivate());
      signature.update(signed);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
