package im.zonda.bench.trace;

/// An event of a trace.
///
/// @param millis since the beginning of the trace
/// @param player the name of the player
/// @param place the room, or the receiving player of a `dm`; empty if the event has none
/// @param bytes the length of a message in UTF-8; 0 for other events
public record TraceEvent(long millis, EventKind kind, String player, String place, int bytes) {
  /// The longest message of a trace, in bytes.
  public static final int MAX_BYTES = 65_536;

  /// The longest trace, in milliseconds: 366 days.
  public static final long MAX_MILLIS = 366L * 24 * 3600 * 1000;

  /// Rejects values outside of the format.
  ///
  /// @throws IllegalArgumentException with a sentence that says which
  public TraceEvent {
    if (millis < 0 || millis > MAX_MILLIS) {
      throw new IllegalArgumentException("time " + millis + " is not from 0 to " + MAX_MILLIS);
    }
    if (player.isEmpty()) {
      throw new IllegalArgumentException("the player is missing");
    }
    if (place.isEmpty() == (kind.isOfRoom() || kind == EventKind.DM)) {
      throw new IllegalArgumentException(
          place.isEmpty()
              ? kind.word() + " needs a room or receiver"
              : kind.word() + " has no room or receiver");
    }
    if (bytes < 0 || bytes > MAX_BYTES || kind.isMessage() == (bytes == 0)) {
      throw new IllegalArgumentException(
          kind.isMessage()
              ? "length " + bytes + " is not from 1 to " + MAX_BYTES
              : kind.word() + " has no length");
    }
  }
}
