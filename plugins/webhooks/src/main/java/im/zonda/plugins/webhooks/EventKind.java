package im.zonda.plugins.webhooks;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The kinds of events, by the words that targets and bodies have for them.
enum EventKind {
  SESSION_STARTED("sessions"),
  SESSION_ENDED("sessions"),
  PRESENCE("presence"),
  MESSAGE_SENT("messages"),
  MESSAGE_DELIVERED("messages"),
  ROOM_CREATED("rooms"),
  ROOM_REMOVED("rooms"),
  ROOM_ENTERED("rooms"),
  ROOM_LEFT("rooms"),
  ROOM_MESSAGE("rooms");

  private final String group;

  EventKind(String group) {
    this.group = group;
  }

  /// Such as `room-entered`.
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The kinds that a word stands for: one, all of a group, or all with `all`.
  ///
  /// @return null if there is no such word
  static @Nullable Set<EventKind> of(String word) {
    EnumSet<EventKind> kinds = EnumSet.noneOf(EventKind.class);
    for (EventKind each : values()) {
      if (word.equals("all") || word.equals(each.group) || word.equals(each.word())) {
        kinds.add(each);
      }
    }
    return kinds.isEmpty() ? null : kinds;
  }
}
