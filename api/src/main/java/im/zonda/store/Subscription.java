package im.zonda.store;

import java.util.Locale;

/// The subscription state of a contact (RFC 6121, section 2.1.2.5).
public enum Subscription {
  NONE,
  TO,
  FROM,
  BOTH;

  /// The value of the attribute `subscription`.
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether the owner sees the contact's presence.
  public boolean to() {
    return this == TO || this == BOTH;
  }

  /// Whether the contact sees the owner's presence.
  public boolean from() {
    return this == FROM || this == BOTH;
  }

  /// The state for these two directions.
  public static Subscription of(boolean to, boolean from) {
    return to ? (from ? BOTH : TO) : (from ? FROM : NONE);
  }
}
