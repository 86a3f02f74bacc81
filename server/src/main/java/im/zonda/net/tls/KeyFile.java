package im.zonda.net.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A pair of ECDSA keys on P-256 in a file: a PEM block of the private key, then one of the public
/// key.
public final class KeyFile {
  private static final int MAX_BYTES = 65_536;

  private KeyFile() {}

  /// The keys in a file; creates them if there is none, for the server's user only.
  ///
  /// @throws IOException with a sentence for the administrator if the file cannot be used
  public static KeyPair ensure(Path file) throws IOException {
    if (Files.exists(file)) {
      return read(file);
    }
    KeyPair pair = create();
    PemText.write(
        file,
        PemText.of("PRIVATE KEY", pair.getPrivate().getEncoded())
            + PemText.of("PUBLIC KEY", pair.getPublic().getEncoded()),
        PemText.PRIVATE);
    return pair;
  }

  /// New keys.
  static KeyPair create() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no ECDSA", e);
    }
  }

  private static KeyPair read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " is too large for keys");
    }
    String text = Files.readString(file, StandardCharsets.US_ASCII);
    try {
      KeyFactory factory = KeyFactory.getInstance("EC");
      return new KeyPair(
          factory.generatePublic(new X509EncodedKeySpec(block(text, "PUBLIC KEY"))),
          factory.generatePrivate(new PKCS8EncodedKeySpec(block(text, "PRIVATE KEY"))));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(file + " does not hold a private and a public key", e);
    }
  }

  private static byte[] block(String text, String kind) {
    Matcher matcher =
        Pattern.compile("-----BEGIN " + kind + "-----([A-Za-z0-9+/=\\s]+)-----END").matcher(text);
    if (!matcher.find()) {
      throw new IllegalArgumentException("no " + kind);
    }
    return Base64.getMimeDecoder().decode(matcher.group(1));
  }
}
