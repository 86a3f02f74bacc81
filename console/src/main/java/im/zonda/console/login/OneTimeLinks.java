package im.zonda.console.login;

import im.zonda.hash.HashFunction;
import im.zonda.operation.Grant;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Links by which someone signs in without a password, each once. Only hashes of their secrets are
/// kept, in memory: a link ends with the process. Any thread may call.
public final class OneTimeLinks {
  /// How long a link is valid.
  public static final Duration VALID = Duration.ofMinutes(10);

  /// The most links that are valid at a time; one more ends the oldest.
  private static final int MOST = 20;

  private static final int SECRET_BYTES = 32;
  private static final int MOST_CHARACTERS = 200;

  /// Whom a link lets in.
  ///
  /// @param name by which what they do is recorded
  /// @param grant what they may do
  /// @param ends when the link is no longer valid
  public record Bearer(String name, Grant grant, Instant ends) {}

  private final InstantSource clock;
  private final RandomGenerator random;

  // Guarded by this object's monitor. The oldest first.
  private final Map<String, Bearer> valid = new LinkedHashMap<>();

  /// @param random cryptographically strong
  public OneTimeLinks(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /// Creates a link; returns its secret, which nothing keeps.
  public synchronized String create(String name, Grant grant) {
    removeExpired();
    if (valid.size() >= MOST) {
      valid.remove(valid.keySet().iterator().next());
    }
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    valid.put(key(secret), new Bearer(name, grant, clock.instant().plus(VALID)));
    return secret;
  }

  /// Whom the link with that secret lets in, this once; null if there is none, or no longer.
  synchronized @Nullable Bearer take(String secret) {
    removeExpired();
    return secret.length() > MOST_CHARACTERS ? null : valid.remove(key(secret));
  }

  private void removeExpired() {
    Instant now = clock.instant();
    valid.values().removeIf(each -> !now.isBefore(each.ends()));
  }

  /// What is compared is a hash, so that the time of a comparison tells nothing.
  private static String key(String secret) {
    return HashFunction.SHA_256.hex("link " + secret);
  }
}
