package im.zonda.module.muc.room;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A long-lived association of a user with a room (XEP-0045, section 5.2), in ascending order.
public enum Affiliation {
  OUTCAST,
  NONE,
  MEMBER,
  ADMIN,
  OWNER;

  private final String value = name().toLowerCase(Locale.ROOT);

  /// The value in XML.
  public String value() {
    return value;
  }

  /// Whether this affiliation is the given one or higher.
  public boolean isAtLeast(Affiliation other) {
    return compareTo(other) >= 0;
  }

  /// Returns the affiliation with that value in XML, or null.
  public static @Nullable Affiliation of(@Nullable String value) {
    return switch (value) {
      case "outcast" -> OUTCAST;
      case "none" -> NONE;
      case "member" -> MEMBER;
      case "admin" -> ADMIN;
      case "owner" -> OWNER;
      case null, default -> null;
    };
  }
}
