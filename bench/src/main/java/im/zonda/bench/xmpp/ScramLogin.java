package im.zonda.bench.xmpp;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/// The client's part of one exchange of SCRAM (RFC 5802) without channel binding.
final class ScramLogin {
  private final String hash;
  private final String password;
  private final String nonce;
  private final String bare;
  private final ScramKeys keys;
  private String expected = "";

  /// @param hash such as `SHA-256`
  /// @param nonce the client's, in printable US-ASCII without comma
  ScramLogin(String hash, String user, String password, String nonce, ScramKeys keys) {
    this.hash = hash;
    this.password = password;
    this.nonce = nonce;
    this.keys = keys;
    bare = "n=" + user.replace("=", "=3D").replace(",", "=2C") + ",r=" + nonce;
  }

  /// The client's first message.
  String first() {
    return "n,," + bare;
  }

  /// The client's last message.
  ///
  /// @param challenge the server's first message
  CompletableFuture<String> last(String challenge) {
    String fullNonce = value(challenge, "r");
    if (!fullNonce.startsWith(nonce)) {
      throw new IllegalStateException("the server's nonce does not begin with the client's");
    }
    int iterations = Integer.parseInt(value(challenge, "i"));
    return keys.of(new ScramKeys.Source(hash, password, value(challenge, "s"), iterations))
        .thenApply(known -> proof(known, challenge, "c=biws,r=" + fullNonce));
  }

  private String proof(ScramKeys.Keys known, String challenge, String withoutProof) {
    String message = bare + "," + challenge + "," + withoutProof;
    try {
      byte[] proof = ScramKeys.hmac(hash, known.storedKey(), message);
      for (int i = 0; i < proof.length; i++) {
        proof[i] ^= known.clientKey()[i];
      }
      Base64.Encoder base64 = Base64.getEncoder();
      expected = base64.encodeToString(ScramKeys.hmac(hash, known.serverKey(), message));
      return withoutProof + ",p=" + base64.encodeToString(proof);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no " + hash, e);
    }
  }

  /// Whether the server knows the password, too.
  ///
  /// @param last the server's last message
  boolean isRight(String last) {
    return value(last, "v").equals(expected);
  }

  private static String value(String message, String name) {
    for (String part : message.split(",", -1)) {
      if (part.startsWith(name + "=")) {
        return part.substring(2);
      }
    }
    throw new IllegalStateException("no " + name + " in " + message);
  }

  static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static String decode(String text) {
    return new String(Base64.getDecoder().decode(text.strip()), StandardCharsets.UTF_8);
  }
}
