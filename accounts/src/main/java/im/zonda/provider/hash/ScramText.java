package im.zonda.provider.hash;

import im.zonda.jid.Precis;
import im.zonda.store.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Keys of SCRAM (RFC 5802) as PostgreSQL, LDAP, Dovecot and ejabberd store them.
public final class ScramText implements StoredPassword {
  private static final String BYTES = "([A-Za-z0-9+/]+={0,2})";
  private static final Pattern DOLLARS =
      Pattern.compile(
          "SCRAM-(SHA-1|SHA-256|SHA-512)\\$(\\d{1,9}):" + BYTES + "\\$" + BYTES + ":" + BYTES);
  private static final Pattern BRACES =
      Pattern.compile(
          "\\{SCRAM-(SHA-1|SHA-256|SHA-512)}(\\d{1,9})," + BYTES + "," + BYTES + "," + BYTES);
  private static final Pattern COMMAS =
      Pattern.compile("scram:" + BYTES + "," + BYTES + "," + BYTES + ",(\\d{1,9})");

  private final ScramKeys keys;

  private ScramText(ScramKeys keys) {
    this.keys = keys;
  }

  /// `SCRAM-SHA-256$4096:salt$stored:server` (RFC 5803, PostgreSQL).
  static ScramText read(String text) throws UnreadableHashException {
    return read(DOLLARS, text);
  }

  /// `{SCRAM-SHA-256}4096,salt,stored,server` (Dovecot).
  static ScramText readBraces(String text) throws UnreadableHashException {
    return read(BRACES, text);
  }

  private static ScramText read(Pattern shape, String text) throws UnreadableHashException {
    Matcher parts = match(shape, text);
    return of(
        parts.group(1),
        Long.parseLong(parts.group(2)),
        bytes(parts.group(3)),
        bytes(parts.group(4)),
        bytes(parts.group(5)));
  }

  /// `scram:stored,server,salt,iterations` of ejabberd, with SHA-1.
  static ScramText readCommas(String text) throws UnreadableHashException {
    Matcher parts = match(COMMAS, text);
    byte[] stored = bytes(parts.group(1));
    return of(
        hash(stored),
        Long.parseLong(parts.group(4)),
        bytes(parts.group(3)),
        stored,
        bytes(parts.group(2)));
  }

  /// Keys in columns of their own, in Base64, as ejabberd has them in its table `users`.
  ///
  /// @throws UnreadableHashException if they are none
  public static ScramText ofColumns(String stored, String server, String salt, long iterations)
      throws UnreadableHashException {
    try {
      byte[] storedKey = bytes(stored);
      return of(hash(storedKey), iterations, bytes(salt), storedKey, bytes(server));
    } catch (IllegalArgumentException e) {
      throw new UnreadableHashException("the SCRAM keys are damaged");
    }
  }

  private static ScramText of(
      String hash, long iterations, byte[] salt, byte[] stored, byte[] server)
      throws UnreadableHashException {
    int count = Costs.bounded("iterations", iterations, Costs.PBKDF2_ITERATIONS);
    if (count == 0 || !hash(stored).equals(hash) || stored.length != server.length) {
      throw new IllegalArgumentException("the keys");
    }
    return new ScramText(new ScramKeys(hash, salt, count, stored, server));
  }

  /// The hash that makes keys of that length.
  private static String hash(byte[] key) {
    return switch (key.length) {
      case 20 -> "SHA-1";
      case 32 -> "SHA-256";
      case 64 -> "SHA-512";
      default -> throw new IllegalArgumentException("the length");
    };
  }

  private static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text);
  }

  private static Matcher match(Pattern shape, String text) {
    Matcher parts = shape.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("the shape");
    }
    return parts;
  }

  /// The keys.
  public ScramKeys keys() {
    return keys;
  }

  @Override
  public boolean matches(String password) throws InterruptedException {
    String hmac = "Hmac" + keys.hash().replace("-", "");
    byte[] given = Precis.mappedOpaque(password).getBytes(StandardCharsets.UTF_8);
    byte[] salted =
        Pbkdf2.derive(hmac, given, keys.salt(), keys.iterations(), keys.storedKey().length);
    try {
      Mac mac = Mac.getInstance(hmac);
      mac.init(new SecretKeySpec(salted, hmac));
      byte[] client = mac.doFinal("Client Key".getBytes(StandardCharsets.US_ASCII));
      return MessageDigest.isEqual(Digests.of(keys.hash()).digest(client), keys.storedKey());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no " + hmac, e);
    }
  }
}
