package im.zonda.bench.trace;

import java.util.Locale;

/// Kind of an event of a trace. Events of the same millisecond are in the order of these constants:
/// a player leaves a room before another one enters, and speaks after entering.
public enum EventKind {
  /// A player leaves a room.
  LEAVE,
  /// A player ends the connection; the player leaves all rooms.
  LOGOUT,
  /// A player connects.
  LOGIN,
  /// A player enters a room.
  JOIN,
  /// A message to a room.
  SAY,
  /// A message to another player.
  DM,
  /// A player changes the nickname.
  NICK,
  /// A player has not typed for some time.
  IDLE;

  /// The word of the format.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether the event names a room.
  public boolean isOfRoom() {
    return this == JOIN || this == LEAVE || this == SAY;
  }

  /// Whether the event is a message with a length.
  public boolean isMessage() {
    return this == SAY || this == DM;
  }

  /// The kind with that word.
  ///
  /// @throws IllegalArgumentException if there is none
  public static EventKind of(String word) {
    for (EventKind kind : values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("unknown event \"" + word + "\"");
  }
}
