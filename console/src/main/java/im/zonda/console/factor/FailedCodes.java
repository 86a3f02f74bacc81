package im.zonda.console.factor;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Counts wrong codes by account: after a few, further ones are not looked at for a while, so that
/// six digits cannot be guessed. In the store, so that those at all nodes of a cluster count. Calls
/// block; any thread that may block may call.
///
/// @param values the store of the accounts, of which nothing may be kept in memory
/// @param random makes wrong codes at the same time differ
record FailedCodes(KeyValueStore values, InstantSource clock, RandomGenerator random) {
  /// The most wrong codes in that time.
  static final int MOST = 5;

  /// How long a wrong code is remembered.
  static final Duration REMEMBERED = Duration.ofMinutes(15);

  private static final String FAILED = "failed-";
  private static final byte[] PRESENT = {1};

  /// Whether a code of the account is looked at. It counts as wrong until [#succeeded].
  boolean begin(Jid account) {
    Instant now = clock.instant();
    if (count(account, now) >= MOST) {
      return false;
    }
    String key = FAILED + now.toEpochMilli() + "-" + HexFormat.of().toHexDigits(random.nextLong());
    values.put(account, key, PRESENT);
    // Others may have come between: each has counted itself before it counts all.
    if (count(account, now) <= MOST) {
      return true;
    }
    boolean _ = values.remove(account, key);
    return false;
  }

  /// How many are remembered; the rest is removed.
  private int count(Jid account, Instant now) {
    int count = 0;
    for (String key : keys(account)) {
      if (key.startsWith(FAILED)) {
        Instant time = Instant.ofEpochMilli(Long.parseLong(key.split("-", 3)[1]));
        // One of the future is from before the clock was set back.
        if (now.isBefore(time.plus(REMEMBERED)) && !now.isBefore(time.minus(REMEMBERED))) {
          count++;
        } else {
          boolean _ = values.remove(account, key);
        }
      }
    }
    return count;
  }

  private Set<String> keys(Jid account) {
    return values.all(account).keySet();
  }

  /// The code was right.
  void succeeded(Jid account) {
    for (String key : keys(account)) {
      if (key.startsWith(FAILED)) {
        boolean _ = values.remove(account, key);
      }
    }
  }
}
