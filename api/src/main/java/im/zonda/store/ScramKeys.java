package im.zonda.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys of one SCRAM hash that are stored in place of a password (RFC 5802, section 3).
///
/// @param hash `SHA-1`, `SHA-256` or `SHA-512`
/// @param salt the salt
/// @param iterations the iteration count
/// @param storedKey H(ClientKey)
/// @param serverKey HMAC(SaltedPassword, "Server Key")
@SuppressWarnings("ArrayRecordComponent") // compared only by the SASL exchange, in constant time
public record ScramKeys(
    String hash, byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {
  /// `keys` with `added` in place of those of its hash; null if `proved` is not among them.
  public static @Nullable List<ScramKeys> adding(
      List<ScramKeys> keys, ScramKeys proved, ScramKeys added) {
    boolean same =
        keys.stream()
            .anyMatch(each ->
                each.hash.equals(proved.hash) && Arrays.equals(each.storedKey, proved.storedKey));
    if (!same) {
      return null;
    }
    List<ScramKeys> all = new ArrayList<>(keys);
    all.removeIf(each -> each.hash.equals(added.hash));
    all.add(added);
    return List.copyOf(all);
  }
}
