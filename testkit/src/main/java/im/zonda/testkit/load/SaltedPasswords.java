package im.zonda.testkit.load;

import im.zonda.testkit.client.Scram;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The salted passwords of all accounts, each computed once, as real clients keep theirs: a
/// reconnect shall cost the server's time, not the generator's.
final class SaltedPasswords {
  private final ConcurrentMap<String, byte[]> kept = new ConcurrentHashMap<>();

  /// The salting of one account. If its salt changes, so must the instance.
  Scram.Salting of(String user) {
    return (hash, password, salt, iterations) ->
        kept.computeIfAbsent(
            user + ' ' + hash, key -> Scram.slowly(hash, password, salt, iterations));
  }
}
