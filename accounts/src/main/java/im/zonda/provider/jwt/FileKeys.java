package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys of a file: a JWK set, one JWK, or public keys and certificates as PEM. It is read again
/// when it has changed; while it cannot be read, the keys that were read last go on. Any thread may
/// call.
public final class FileKeys implements KeySource {
  private static final long MOST_BYTES = 256 * 1024;
  private static final Logger LOG = LoggerFactory.getLogger(FileKeys.class);
  private static final List<String> TYPES = List.of("RSA", "EC", "Ed25519");
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN (PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  /// What was read.
  ///
  /// @param state by which a change is seen
  private record Known(List<VerificationKey> keys, String state) {}

  private final Path file;
  private volatile @Nullable Known known;

  FileKeys(Path file) {
    this.file = file;
  }

  /// Why a file cannot be used; null if it can.
  public static @Nullable String problem(Path file) {
    try (FileKeys keys = new FileKeys(file)) {
      List<VerificationKey> _ = keys.readAgain();
      return null;
    } catch (ProviderException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public List<VerificationKey> keys() throws ProviderException {
    Known now = known;
    String state = state();
    if (now != null && now.state().equals(state)) {
      return now.keys();
    }
    try {
      return readAgain();
    } catch (ProviderException e) {
      if (now == null) {
        throw e;
      }
      known = new Known(now.keys(), state);
      LOG.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("reason", e.getMessage())
          .log("token_keys_unreadable");
      return now.keys();
    }
  }

  /// The file is looked at before each use.
  @Override
  public boolean refresh() {
    return false;
  }

  @Override
  public List<VerificationKey> readAgain() throws ProviderException {
    String state = state();
    List<VerificationKey> keys = read();
    if (keys.isEmpty()) {
      throw new ProviderException(file + " has no key that can be used");
    }
    known = new Known(keys, state);
    return keys;
  }

  private String state() {
    try {
      return Files.getLastModifiedTime(file) + " " + Files.size(file);
    } catch (IOException e) {
      return "";
    }
  }

  private List<VerificationKey> read() throws ProviderException {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new ProviderException(file + " has more than " + MOST_BYTES + " bytes");
      }
      String text = Files.readString(file, StandardCharsets.UTF_8).strip();
      return text.startsWith("{") ? ofJson(text) : ofPem(text);
    } catch (IOException e) {
      throw new ProviderException(file + " cannot be read", e);
    } catch (ParseException | GeneralSecurityException | IllegalArgumentException e) {
      // The cause would quote the file, which may have a secret in it.
      throw new ProviderException(file + " is neither a JWK set nor public keys as PEM");
    }
  }

  private static List<VerificationKey> ofJson(String text) throws ParseException {
    Map<String, Object> json = JsonObjects.parse(text.getBytes(StandardCharsets.UTF_8));
    if (json.containsKey("keys")) {
      return VerificationKey.ofSet(json, true);
    }
    VerificationKey key = VerificationKey.ofEntry(json, true);
    return key == null ? List.of() : List.of(key);
  }

  private static List<VerificationKey> ofPem(String text) throws GeneralSecurityException {
    List<VerificationKey> keys = new ArrayList<>();
    Matcher block = PEM.matcher(text);
    while (block.find() && keys.size() < VerificationKey.MOST) {
      byte[] bytes = Base64.getMimeDecoder().decode(block.group(2));
      Key key =
          block.group(1).equals("CERTIFICATE")
              ? CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(bytes))
                  .getPublicKey()
              : publicKey(bytes);
      keys.add(new VerificationKey(null, null, key));
    }
    return List.copyOf(keys);
  }

  private static Key publicKey(byte[] encoded) throws GeneralSecurityException {
    for (String type : TYPES) {
      try {
        return KeyFactory.getInstance(type).generatePublic(new X509EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException e) {
        // of another type
      }
    }
    throw new InvalidKeySpecException("a public key of another type");
  }

  @Override
  public void close() {
    // nothing is open
  }
}
