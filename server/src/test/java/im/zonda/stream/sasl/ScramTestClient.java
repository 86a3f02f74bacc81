package im.zonda.stream.sasl;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.KeySpec;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/// A SCRAM client (RFC 5802) that keeps the server's first message unchanged. The client of the
/// library `com.ongres.scram`, the oracle for plain exchanges, composes it again without the
/// extensions that XEP-0474 adds, and so computes another proof.
public final class ScramTestClient {
  private final String hash;
  private final String password;
  private final String header;
  private final byte[] binding;
  private final String bare;
  private String authMessage = "";
  private byte[] salted = new byte[0];

  /// A client that binds to `binding`, which is of the kind `prefix`; an empty prefix is none.
  public ScramTestClient(
      String mechanism, String name, String password, String prefix, byte[] binding) {
    this.hash = mechanism.replace("SCRAM-", "").replace("-PLUS", "");
    this.password = password;
    this.header = header(prefix);
    this.binding = binding.clone();
    this.bare = "n=" + name + ",r=client-nonce";
  }

  /// A client that can bind the channel but has not been offered it.
  public static ScramTestClient thatCouldBind(String mechanism, String name, String password) {
    return new ScramTestClient(mechanism, name, password, "y", new byte[0]);
  }

  private static String header(String prefix) {
    return switch (prefix) {
      case "" -> "n,,";
      case "y" -> "y,,";
      default -> "p=" + prefix + ",,";
    };
  }

  /// The client's first message.
  public String first() {
    return header + bare;
  }

  /// The client's final message.
  public String last(String serverFirst) throws GeneralSecurityException {
    String[] parts = serverFirst.split(",", -1);
    byte[] salt = Base64.getDecoder().decode(parts[1].substring(2));
    int iterations = Integer.parseInt(parts[2].substring(2));
    salted = pbkdf2(salt, iterations, MessageDigest.getInstance(hash).getDigestLength() * 8);
    byte[] head = header.getBytes(StandardCharsets.US_ASCII);
    byte[] bound = new byte[head.length + binding.length];
    System.arraycopy(head, 0, bound, 0, head.length);
    System.arraycopy(binding, 0, bound, head.length, binding.length);
    String withoutProof = "c=" + Base64.getEncoder().encodeToString(bound) + "," + parts[0];
    authMessage = bare + "," + serverFirst + "," + withoutProof;
    byte[] clientKey = hmac(salted, "Client Key");
    byte[] proof = hmac(MessageDigest.getInstance(hash).digest(clientKey), authMessage);
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= clientKey[i];
    }
    return withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof);
  }

  /// The final message of a server that knows the password too.
  public String expectedServerFinal() throws GeneralSecurityException {
    byte[] signature = hmac(hmac(salted, "Server Key"), authMessage);
    return "v=" + Base64.getEncoder().encodeToString(signature);
  }

  private byte[] pbkdf2(byte[] salt, int iterations, int bits) throws GeneralSecurityException {
    KeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, bits);
    return SecretKeyFactory.getInstance("PBKDF2WithHmac" + hash.replace("-", ""))
        .generateSecret(spec)
        .getEncoded();
  }

  private byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("Hmac" + hash.replace("-", ""));
    mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }
}
