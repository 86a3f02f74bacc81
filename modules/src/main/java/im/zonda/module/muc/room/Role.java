package im.zonda.module.muc.room;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A temporary privilege level of an occupant (XEP-0045, section 5.1), in ascending order. [#NONE]
/// is a user who is not in the room.
public enum Role {
  NONE,
  VISITOR,
  PARTICIPANT,
  MODERATOR;

  private final String value = name().toLowerCase(Locale.ROOT);

  /// The value in XML.
  public String value() {
    return value;
  }

  /// Whether this role is the given one or higher.
  public boolean isAtLeast(Role other) {
    return compareTo(other) >= 0;
  }

  /// Returns the role with that value in XML, or null.
  public static @Nullable Role of(@Nullable String value) {
    return switch (value) {
      case "none" -> NONE;
      case "visitor" -> VISITOR;
      case "participant" -> PARTICIPANT;
      case "moderator" -> MODERATOR;
      case null, default -> null;
    };
  }
}
