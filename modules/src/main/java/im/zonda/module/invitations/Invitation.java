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
  /// Digits of an identifier for operators.
  static final int ID_DIGITS = 12;

  /// What an invitation permits.
  ///
  /// @param kind what the link does in a client
  /// @param registers whether an account may be registered with it
  /// @param subscribes whether the one who made it and the new account become contacts
  /// @param username the local part that the new account must have; null for any
  /// @param circle the name of the circle that the new account joins, or null
  record Terms(
      Kind kind,
      boolean registers,
      boolean subscribes,
      @Nullable String username,
      @Nullable String circle) {
    Terms(Kind kind, boolean registers, boolean subscribes, @Nullable String username) {
      this(kind, registers, subscribes, username, null);
    }
  }

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

  /// The name of the circle that the new account joins, or null.
  public @Nullable String circle() {
    return terms.circle;
  }

  /// By what an operator names it: the first digits of the hash by which it is stored, as the token
  /// itself is not.
  public String id() {
    String hash = key.key().substring(key.key().indexOf('/') + 1);
    return hash.substring(0, Math.min(ID_DIGITS, hash.length()));
  }

  /// Whether an account may be registered with it.
  public boolean registers() {
    return terms.registers;
  }

  /// The account that becomes a contact of the new account; null if none does.
  public @Nullable Jid contact() {
    return terms.subscribes && owner().local() != null ? owner() : null;
  }

  /// The stored form: the expiry in milliseconds, the kind, two flags, the username, and the circle
  /// if there is one, whose name may have blanks.
  byte[] stored() {
    String text =
        String.join(
            " ",
            Long.toString(expiry.toEpochMilli()),
            terms.kind.name(),
            Boolean.toString(terms.registers),
            Boolean.toString(terms.subscribes),
            terms.username == null ? "" : terms.username);
    String all = terms.circle == null ? text : text + " " + terms.circle;
    return all.getBytes(StandardCharsets.UTF_8);
  }

  /// Reads the stored form.
  ///
  /// @throws IllegalArgumentException if it is damaged
  static Invitation of(ValueKey key, byte[] stored) {
    String[] words = new String(stored, StandardCharsets.UTF_8).split(" ", 6);
    if (words.length < 5) {
      throw new IllegalArgumentException("an invitation of " + words.length + " words");
    }
    Terms terms =
        new Terms(
            Kind.valueOf(words[1]),
            Boolean.parseBoolean(words[2]),
            Boolean.parseBoolean(words[3]),
            words[4].isEmpty() ? null : words[4],
            words.length == 5 ? null : words[5]);
    return new Invitation(key, terms, Instant.ofEpochMilli(Long.parseLong(words[0])));
  }
}
