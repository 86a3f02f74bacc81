package im.zonda.console.factor;

import im.zonda.hash.HashFunction;
import im.zonda.http.Signer;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Challenges for passkeys, each of which is answered once. They are signed instead of kept, so
/// that those who only look at the page cost nothing, and any node of a cluster takes the answer;
/// what was answered is kept until it is too old anyway. Any thread that may block may call.
public final class Challenges {
  /// The name of the key-value store.
  public static final String STORE = "console-challenges";

  /// How long a challenge is valid.
  static final Duration VALID = Duration.ofMinutes(5);

  private static final Jid OWNER = Jid.stored("zonda.invalid");
  private static final String PURPOSE = "console-challenge";
  private static final int RANDOM_BYTES = 24;
  private static final int LENGTH = RANDOM_BYTES + Long.BYTES;
  private static final int MOST_CHARACTERS = 200;

  private final KeyValueStore answered;
  private final Signer signer;
  private final InstantSource clock;
  private final RandomGenerator random;

  /// @param answered the store named [#STORE]
  /// @param random cryptographically strong
  public Challenges(
      KeyValueStore answered, Signer signer, InstantSource clock, RandomGenerator random) {
    this.answered = answered;
    this.signer = signer;
    this.clock = clock;
    this.random = random;
  }

  /// A new challenge, in base64url.
  ///
  /// @param cookie that of the browser that must answer
  public String create(String cookie) {
    byte[] nonce = new byte[RANDOM_BYTES];
    random.nextBytes(nonce);
    byte[] text =
        ByteBuffer.allocate(LENGTH)
            .put(nonce)
            .putLong(clock.instant().plus(VALID).toEpochMilli())
            .array();
    byte[] mac = sign(text, cookie);
    return PasskeyAnswer.encode(
        ByteBuffer.allocate(LENGTH + mac.length).put(text).put(mac).array());
  }

  private byte[] sign(byte[] text, String cookie) {
    return signer.sign(PURPOSE, PasskeyAnswer.encode(text) + " " + cookie);
  }

  /// Whether a challenge is from here, for that browser, and not too old, and whether this is its
  /// first answer.
  public synchronized boolean take(String challenge, String cookie) {
    Instant now = clock.instant();
    Instant ends = ends(challenge, cookie);
    if (ends == null || !now.isBefore(ends)) {
      return false;
    }
    answered
        .all(OWNER)
        .forEach((key, value) -> {
          if (!now.isBefore(time(value))) {
            boolean _ = answered.remove(OWNER, key);
          }
        });
    String key = HashFunction.SHA_256.hex(challenge);
    if (answered.get(OWNER, key) != null) {
      return false;
    }
    answered.put(OWNER, key, Long.toString(ends.toEpochMilli()).getBytes(StandardCharsets.UTF_8));
    return true;
  }

  private static Instant time(byte[] value) {
    return Instant.ofEpochMilli(Long.parseLong(new String(value, StandardCharsets.UTF_8)));
  }

  private @Nullable Instant ends(String challenge, String cookie) {
    if (challenge.length() > MOST_CHARACTERS) {
      return null;
    }
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(challenge);
    } catch (IllegalArgumentException e) {
      return null;
    }
    if (bytes.length <= LENGTH) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    byte[] text = new byte[LENGTH];
    buffer.get(text);
    byte[] mac = new byte[buffer.remaining()];
    buffer.get(mac);
    return MessageDigest.isEqual(mac, sign(text, cookie))
        ? Instant.ofEpochMilli(ByteBuffer.wrap(text).getLong(RANDOM_BYTES))
        : null;
  }
}
