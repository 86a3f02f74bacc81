package im.zonda.testkit.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The client's side of one SCRAM exchange (RFC 5802), for ASCII names and passwords.
///
/// Written by hand because the SCRAM library rebuilds the server's message without its extensions
/// (XEP-0474) and signs the rebuilt text.
public final class Scram {
  private final String hash;
  private final String header;
  private final byte[] binding;
  private final String firstBare;
  private byte[] serverSignature = new byte[0];
  private @Nullable Map<String, byte[]> keys;

  /// An exchange.
  ///
  /// @param hash `SHA-1`, `SHA-256` or `SHA-512`
  /// @param header the GS2 header, such as `n,,` or `p=tls-exporter,,`
  /// @param binding the channel binding data; empty without
  /// @param user the name
  /// @param nonce the client's nonce
  public Scram(String hash, String header, byte[] binding, String user, String nonce) {
    this.hash = hash;
    this.header = header;
    this.binding = binding.clone();
    this.firstBare = "n=" + user + ",r=" + nonce;
  }

  /// Reads salted passwords from this cache and stores them there.
  public Scram keeping(@Nullable Map<String, byte[]> kept) {
    keys = kept;
    return this;
  }

  /// The client's first message.
  public String first() {
    return header + firstBare;
  }

  /// The client's final message.
  public String last(String serverFirst, String password) {
    byte[] prefix = ascii(header);
    byte[] bound = Arrays.copyOf(prefix, prefix.length + binding.length);
    System.arraycopy(binding, 0, bound, prefix.length, binding.length);
    String withoutProof =
        "c=" + Base64.getEncoder().encodeToString(bound) + ",r=" + part(serverFirst, 'r');
    byte[] message = ascii(firstBare + "," + serverFirst + "," + withoutProof);
    byte[] salted = kept(password, part(serverFirst, 's'), part(serverFirst, 'i'));
    byte[] clientKey = hmac(salted, ascii("Client Key"));
    byte[] proof = hmac(digest(clientKey), message);
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= clientKey[i];
    }
    serverSignature = hmac(hmac(salted, ascii("Server Key")), message);
    return withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof);
  }

  /// Whether the server's final message proves that it knows the password too.
  public boolean proves(String serverLast) {
    byte[] given = Base64.getDecoder().decode(part(serverLast, 'v'));
    return MessageDigest.isEqual(given, serverSignature);
  }

  private static String part(String message, char name) {
    for (String part : message.split(",", -1)) {
      if (part.startsWith(name + "=")) {
        return part.substring(2);
      }
    }
    throw new AssertionError("no " + name + " in the server's message " + message);
  }

  private byte[] kept(String password, String salt, String iterations) {
    Map<String, byte[]> known = keys == null ? new HashMap<>() : keys;
    return known.computeIfAbsent(
        String.join(" ", hash, salt, iterations, password),
        _ -> salted(password, Base64.getDecoder().decode(salt), Integer.parseInt(iterations)));
  }

  private byte[] salted(String password, byte[] salt, int iterations) {
    try {
      int bits = MessageDigest.getInstance(hash).getDigestLength() * Byte.SIZE;
      return SecretKeyFactory.getInstance("PBKDF2WithHmac" + hash.replace("-", ""))
          .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, bits))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private byte[] hmac(byte[] key, byte[] data) {
    try {
      Mac mac = Mac.getInstance("Hmac" + hash.replace("-", ""));
      mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
      return mac.doFinal(data);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private byte[] digest(byte[] data) {
    try {
      return MessageDigest.getInstance(hash).digest(data);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
