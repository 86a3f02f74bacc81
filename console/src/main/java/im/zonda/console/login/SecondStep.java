package im.zonda.console.login;

import im.zonda.console.factor.Seal;
import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Remembers, in the form of the second step, who has proved a password in the first one. It is
/// encrypted and for one browser and a few minutes, and any node of a cluster can read it.
///
/// @param seal encrypts it
record SecondStep(Seal seal, InstantSource clock) {
  private static final Duration VALID = Duration.ofMinutes(5);
  private static final int MOST_CHARACTERS = 3_000;
  private static final int LINES = 3;

  /// What the form has.
  ///
  /// @param cookie of the browser
  String of(Identity.ByPassword identity, String cookie) {
    String text =
        String.join(
            "\n",
            Long.toString(clock.instant().plus(VALID).toEpochMilli()),
            identity.mark(),
            identity.account().toString());
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(seal.close(context(cookie), text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String context(String cookie) {
    return "second step of " + cookie;
  }

  /// The account whose password this browser has proved; null if there is none, or too long ago.
  Identity.@Nullable ByPassword read(String form, String cookie) {
    if (form.length() > MOST_CHARACTERS) {
      return null;
    }
    try {
      byte[] text = seal.open(context(cookie), Base64.getUrlDecoder().decode(form));
      if (text == null) {
        return null;
      }
      String[] lines = new String(text, StandardCharsets.UTF_8).split("\n", LINES);
      Instant ends = Instant.ofEpochMilli(Long.parseLong(lines[0]));
      return clock.instant().isBefore(ends)
          ? new Identity.ByPassword(Jid.stored(lines[2]), lines[1])
          : null;
    } catch (IllegalArgumentException e) {
      return null; // not what was sent
    }
  }
}
