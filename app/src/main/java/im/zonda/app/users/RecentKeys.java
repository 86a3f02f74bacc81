package im.zonda.app.users;

import im.zonda.auth.Passwords;
import im.zonda.store.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Derives the keys of passwords, those of several accounts once. The keys of a single password are
/// kept for the next call; the password itself is not. Any thread may call.
final class RecentKeys {
  private static final Duration KEPT = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final RandomGenerator random;
  private final byte[] salt = new byte[32];
  private volatile @Nullable Kept kept;

  /// @param digest of the password, with a salt that this process alone knows
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  private record Kept(byte[] digest, List<ScramKeys> keys, Instant until) {}

  /// @param random source of salts; cryptographically strong and thread-safe
  RecentKeys(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
    random.nextBytes(salt);
  }

  /// The keys of passwords. Takes tens of milliseconds of CPU for each that is new.
  ///
  /// @throws im.zonda.auth.PasswordException if one of them cannot be a password
  Map<String, List<ScramKeys>> of(Set<String> passwords) {
    passwords.forEach(Passwords::check);
    if (passwords.size() == 1) {
      String only = passwords.iterator().next();
      return Map.of(only, of(only));
    }
    Map<String, List<ScramKeys>> all = new ConcurrentHashMap<>();
    passwords.parallelStream().forEach(each -> all.put(each, Passwords.derive(each, random)));
    return all;
  }

  private List<ScramKeys> of(String password) {
    byte[] digest = digest(password);
    Instant now = clock.instant();
    Kept before = kept;
    List<ScramKeys> keys =
        before != null && now.isBefore(before.until) && MessageDigest.isEqual(digest, before.digest)
            ? before.keys
            : Passwords.derive(password, random);
    kept = new Kept(digest, keys, now.plus(KEPT));
    return keys;
  }

  private byte[] digest(String password) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(salt);
      return sha.digest(password.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
