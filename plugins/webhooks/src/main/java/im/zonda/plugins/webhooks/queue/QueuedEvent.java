package im.zonda.plugins.webhooks.queue;

import java.time.Instant;

/// An event that waits for its delivery.
///
/// @param time when it happened, in milliseconds
/// @param json a JSON object in UTF-8, in one line
@SuppressWarnings("ArrayRecordComponent") // never compared
public record QueuedEvent(Instant time, byte[] json) {
  /// The most bytes of an event.
  public static final int MOST_BYTES = 256 * 1024;

  /// @throws IllegalArgumentException if it is empty or too large
  public QueuedEvent {
    if (json.length == 0 || json.length > MOST_BYTES) {
      throw new IllegalArgumentException("an event of " + json.length + " bytes");
    }
  }

  /// Without the contents.
  @Override
  public String toString() {
    return "event of " + json.length + " bytes";
  }
}
