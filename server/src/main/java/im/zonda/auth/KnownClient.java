package im.zonda.auth;

import im.zonda.hash.HashFunction;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client that has logged in to an account and has identified itself (XEP-0388, section 2.3).
///
/// @param id its identifier, a UUID in lower case
/// @param software the program's name, or null
/// @param device the name of the machine, or null
/// @param firstSeen when it first logged in
/// @param lastSeen when it last logged in, to the hour
/// @param mark a fingerprint of the password that it has proved ([#markOf])
/// @param current the token in use, or null
/// @param fresh a token that was issued and has not been used yet, or null
public record KnownClient(
    String id,
    @Nullable String software,
    @Nullable String device,
    Instant firstSeen,
    Instant lastSeen,
    String mark,
    @Nullable Token current,
    @Nullable Token fresh) {
  private static final int MARK_BYTES = 12;

  /// A token (XEP-0484) as it is stored: the token itself is derived from this and the server's
  /// secret.
  ///
  /// @param mechanism the only SASL mechanism for which it is valid
  /// @param seed unique and unguessable, though not secret
  /// @param issued when it was issued
  /// @param expiry when it expires
  public record Token(String mechanism, String seed, Instant issued, Instant expiry) {}

  /// A copy with these tokens.
  public KnownClient withTokens(@Nullable Token newCurrent, @Nullable Token newFresh) {
    return new KnownClient(id, software, device, firstSeen, lastSeen, mark, newCurrent, newFresh);
  }

  /// A copy that was seen at that time under these names.
  public KnownClient seen(Instant now, @Nullable String newSoftware, @Nullable String newDevice) {
    return new KnownClient(id, newSoftware, newDevice, firstSeen, now, mark, current, fresh);
  }

  /// Whether the client has proved the account's current password. If not, its tokens are invalid.
  public boolean isCurrent(Account account) {
    return isMarkOf(account, mark);
  }

  /// Whether a mark is one of the account's current password ([#markOf]).
  public static boolean isMarkOf(Account account, String mark) {
    if (account.keys().isEmpty()) {
      return mark.equals(markOf(account));
    }
    int colon = mark.indexOf(':');
    for (ScramKeys keys : account.keys()) {
      if (colon == keys.hash().length()
          && mark.startsWith(keys.hash())
          && MessageDigest.isEqual(ascii(mark), ascii(markOf(keys)))) {
        return true;
      }
    }
    return false;
  }

  /// A fingerprint of the account's password: changes with the password, but not when keys for more
  /// hashes are added. Reveals nothing about the password. An account without one, whose provider
  /// proves who someone is, has the same as long as it exists.
  public static String markOf(Account account) {
    List<ScramKeys> keys = account.keys();
    return keys.isEmpty() ? "created:" + account.created().toEpochMilli() : markOf(keys.getFirst());
  }

  private static String markOf(ScramKeys keys) {
    MessageDigest digest = HashFunction.SHA_256.begin();
    digest.update(ascii("mark of a password"));
    byte[] hash = digest.digest(keys.storedKey());
    return keys.hash() + ":" + Base64.getEncoder().encodeToString(Arrays.copyOf(hash, MARK_BYTES));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
