package im.zonda.module.invitations;

import im.zonda.jid.Jid;
import im.zonda.store.ValueKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An invitation that has been issued and not used.
///
/// @param key where it is stored
/// @param terms what it permits
/// @param expiry when it ends
public record Invitation(ValueKey key, Terms terms, Instant expiry) {
  /// What an invitation permits.
  ///
  /// @param kind what the link does in a client
  /// @param registers whether an account may be registered with it
  /// @param subscribes whether the one who made it and the new account become contacts
  /// @param username the local part that the new account must have; null for any
  record Terms(Kind kind, boolean registers, boolean subscribes, @Nullable String username) {}

  /// What the link of an invitation does in a client.
  enum Kind {
    /// Adds the inviter as a contact (XEP-0401, section 4.1).
    CONTACT,
    /// Registers an account (XEP-0401, section 4.4).
    ACCOUNT
  }

  /// Whose invitation it is: an account, or the host itself.
  public Jid owner() {
    return key.owner();
  }

  /// The local part that the new account must have; null for any.
  public @Nullable String username() {
    return terms.username;
  }

  /// Whether an account may be registered with it.
  public boolean registers() {
    return terms.registers;
  }

  /// The stored form: the expiry in milliseconds, the kind, two flags and the username.
  byte[] stored() {
    String text =
        String.join(
            " ",
            Long.toString(expiry.toEpochMilli()),
            terms.kind.name(),
            Boolean.toString(terms.registers),
            Boolean.toString(terms.subscribes),
            terms.username == null ? "" : terms.username);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Reads the stored form.
  ///
  /// @throws IllegalArgumentException if it is damaged
  static Invitation of(ValueKey key, byte[] stored) {
    String[] words = new String(stored, StandardCharsets.UTF_8).split(" ", -1);
    if (words.length != 5) {
      throw new IllegalArgumentException("an invitation of " + words.length + " words");
    }
    Terms terms =
        new Terms(
            Kind.valueOf(words[1]),
            Boolean.parseBoolean(words[2]),
            Boolean.parseBoolean(words[3]),
            words[4].isEmpty() ? null : words[4]);
    return new Invitation(key, terms, Instant.ofEpochMilli(Long.parseLong(words[0])));
  }
}
