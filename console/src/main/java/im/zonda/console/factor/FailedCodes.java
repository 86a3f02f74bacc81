package im.zonda.console.factor;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// Counts wrong codes by account: after a few, further ones are not looked at for a while, so that
/// six digits cannot be guessed. In memory of this node. Any thread may call.
final class FailedCodes {
  /// The most wrong codes in that time.
  static final int MOST = 5;

  /// How long a wrong code is remembered.
  static final Duration REMEMBERED = Duration.ofMinutes(15);

  private static final int MOST_ACCOUNTS = 10_000;

  private record Failures(int count, Instant first) {}

  private final InstantSource clock;

  // Guarded by this object's monitor. The oldest first.
  private final Map<Jid, Failures> byAccount = new LinkedHashMap<>();

  FailedCodes(InstantSource clock) {
    this.clock = clock;
  }

  /// Whether a code of the account is looked at. It counts as wrong until [#succeeded].
  synchronized boolean begin(Jid account) {
    Instant now = clock.instant();
    byAccount.values().removeIf(each -> !now.isBefore(each.first().plus(REMEMBERED)));
    Failures known = byAccount.getOrDefault(account, new Failures(0, now));
    if (known.count() >= MOST
        || (byAccount.size() >= MOST_ACCOUNTS && !byAccount.containsKey(account))) {
      return false;
    }
    byAccount.put(account, new Failures(known.count() + 1, known.first()));
    return true;
  }

  /// The code was right.
  synchronized void succeeded(Jid account) {
    byAccount.remove(account);
  }
}
