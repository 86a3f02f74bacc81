package im.zonda.console.factor;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// A passkey of an account: what the authenticator has told when it was registered.
///
/// @param id the identifier of the credential, in base64url
/// @param key the public key
/// @param counter the signatures that the authenticator had counted last; 0 if it counts none
/// @param site the name of the site for which it is
/// @param label by what its owner knows it
/// @param created when it was registered
/// @param used when it was used last; null if never
public record Passkey(
    String id,
    PasskeyKey key,
    long counter,
    String site,
    String label,
    Instant created,
    @Nullable Instant used) {
  private static final int LINES = 6;

  /// The same after a use.
  Passkey used(long count, Instant now) {
    return new Passkey(id, key, count, site, label, created, now);
  }

  /// As the store has it, without its uses: lines, of which the label is the last.
  byte[] bytes() {
    return String.join(
            "\n",
            id,
            key.kind().name(),
            Base64.getEncoder().encodeToString(key.raw()),
            site,
            Long.toString(created.toEpochMilli()),
            label)
        .getBytes(StandardCharsets.UTF_8);
  }

  /// Reads what [#bytes] has written.
  ///
  /// @throws IllegalArgumentException if it is something else
  static Passkey of(byte[] bytes) {
    String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", LINES);
    if (lines.length < LINES) {
      throw new IllegalArgumentException("no passkey");
    }
    return new Passkey(
        lines[0],
        new PasskeyKey(PasskeyKey.Kind.valueOf(lines[1]), Base64.getDecoder().decode(lines[2])),
        0,
        lines[3],
        lines[5],
        Instant.ofEpochMilli(Long.parseLong(lines[4])),
        null);
  }
}
