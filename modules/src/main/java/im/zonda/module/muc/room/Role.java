package im.zonda.module.muc.room;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What an occupant may do while it is in a room (XEP-0045, section 5.1). From the least to the
/// most; [#NONE] is who is not in the room.
public enum Role {
  NONE,
  VISITOR,
  PARTICIPANT,
  MODERATOR;

  private final String value = name().toLowerCase(Locale.ROOT);

  /// As it is written.
  public String value() {
    return value;
  }

  /// Whether it is this one or more.
  public boolean isAtLeast(Role other) {
    return compareTo(other) >= 0;
  }

  /// The role that is written so, or null.
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
