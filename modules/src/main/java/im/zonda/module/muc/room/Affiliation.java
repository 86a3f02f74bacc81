package im.zonda.module.muc.room;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a user is to a room, present or not (XEP-0045, section 5.2). From the least to the most.
public enum Affiliation {
  OUTCAST,
  NONE,
  MEMBER,
  ADMIN,
  OWNER;

  private final String value = name().toLowerCase(Locale.ROOT);

  /// As it is written.
  public String value() {
    return value;
  }

  /// Whether it is this one or more.
  public boolean isAtLeast(Affiliation other) {
    return compareTo(other) >= 0;
  }

  /// The affiliation that is written so, or null.
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
