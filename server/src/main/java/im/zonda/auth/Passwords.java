package im.zonda.auth;

import im.zonda.account.PasswordProblem;
import im.zonda.jid.JidFormatException;
import im.zonda.jid.Precis;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/// Derives the keys that are stored for a password, and checks passwords against them.
///
/// Passwords are prepared by the profile OpaqueString (RFC 8265, section 4.2). Deriving takes tens
/// of milliseconds of CPU by design: never call it on an event loop.
public final class Passwords {
  /// The hashes for which keys are derived, the fastest one first.
  public static final List<String> HASHES = List.of("SHA-256", "SHA-512", "SHA-1");

  /// The iterations for new keys. Clients compute them too at every login (RFC 7677 requires 4096).
  public static final int ITERATIONS = 10_000;

  /// The size of a new salt, in bytes.
  public static final int SALT_BYTES = 16;

  /// The maximum size of a password, in bytes of UTF-8.
  public static final int MAX_BYTES = 1_024;

  private Passwords() {}

  /// Derives keys for a new password, one per hash, each with its own salt.
  ///
  /// @param random the source of salts; must be cryptographically strong
  /// @throws PasswordException if it is empty, too long or contains forbidden characters
  public static List<ScramKeys> derive(String password, RandomGenerator random) {
    char[] prepared = prepare(password);
    List<ScramKeys> keys = new ArrayList<>(HASHES.size());
    for (String hash : HASHES) {
      byte[] salt = new byte[SALT_BYTES];
      random.nextBytes(salt);
      keys.add(deriveKeys(prepared, hash, salt, ITERATIONS));
    }
    return List.copyOf(keys);
  }

  /// Derives the keys of a password for one hash, salt and iteration count.
  ///
  /// @throws PasswordException if it is empty, too long or contains forbidden characters
  public static ScramKeys derive(String password, String hash, byte[] salt, int iterations) {
    return deriveKeys(prepare(password), hash, salt, iterations);
  }

  /// Derives keys from a `SaltedPassword` (RFC 5802, section 3).
  public static ScramKeys ofSalted(String hash, byte[] salt, int iterations, byte[] salted) {
    try {
      Mac mac = Mac.getInstance("Hmac" + hash.replace("-", ""));
      mac.init(new SecretKeySpec(salted, mac.getAlgorithm()));
      byte[] clientKey = mac.doFinal("Client Key".getBytes(StandardCharsets.US_ASCII));
      byte[] serverKey = mac.doFinal("Server Key".getBytes(StandardCharsets.US_ASCII));
      byte[] storedKey = MessageDigest.getInstance(hash).digest(clientKey);
      return new ScramKeys(hash, salt.clone(), iterations, storedKey, serverKey);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot derive keys with " + hash, e);
    }
  }

  /// Checks whether it can be a new password, which is fast.
  ///
  /// @throws PasswordException if it is empty, too long or contains forbidden characters
  public static void check(String password) {
    Arrays.fill(prepare(password), '\0');
  }

  /// Whether it is the account's password; false for an invalid one.
  public static boolean matches(Account account, String password) {
    if (password.isEmpty() || isTooLong(password)) {
      return false;
    }
    // Not refused for its characters: the password may be older than the rules for them.
    char[] prepared = Precis.mappedOpaque(password).toCharArray();
    for (String hash : HASHES) {
      for (ScramKeys keys : account.keys()) {
        if (keys.hash().equals(hash)) {
          ScramKeys given = deriveKeys(prepared, hash, keys.salt(), keys.iterations());
          return MessageDigest.isEqual(given.storedKey(), keys.storedKey());
        }
      }
    }
    return false;
  }

  /// The prepared form of a new password.
  ///
  /// @throws PasswordException if it is empty, too long or contains forbidden characters
  static char[] prepare(String password) {
    if (password.isEmpty()) {
      throw new PasswordException(PasswordProblem.EMPTY, "a password must not be empty");
    }
    // The bound comes before the preparation, which may take long for long input.
    if (isTooLong(password)) {
      throw new PasswordException(
          PasswordProblem.TOO_LONG, "a password may have at most " + MAX_BYTES + " bytes of UTF-8");
    }
    try {
      return Precis.opaque(password).toCharArray();
    } catch (JidFormatException e) {
      throw new PasswordException(
          PasswordProblem.CHARACTER,
          "a password may contain letters, digits, symbols and spaces, but no control characters");
    }
  }

  private static boolean isTooLong(String password) {
    return password.length() > MAX_BYTES
        || password.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
  }

  private static ScramKeys deriveKeys(char[] password, String hash, byte[] salt, int iterations) {
    String name = hash.replace("-", "");
    PBEKeySpec spec = new PBEKeySpec(password, salt, iterations, digestBits(hash));
    try {
      byte[] salted =
          SecretKeyFactory.getInstance("PBKDF2WithHmac" + name).generateSecret(spec).getEncoded();
      return ofSalted(hash, salt, iterations, salted);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot derive keys with " + hash, e);
    } finally {
      spec.clearPassword();
    }
  }

  private static int digestBits(String hash) {
    return switch (hash) {
      case "SHA-1" -> 160;
      case "SHA-256" -> 256;
      case "SHA-512" -> 512;
      default -> throw new IllegalArgumentException("no SCRAM hash: " + hash);
    };
  }
}
