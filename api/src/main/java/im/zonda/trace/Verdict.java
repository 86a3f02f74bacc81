package im.zonda.trace;

import im.zonda.journal.Effect;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Outcome of a step of a message.
public enum Verdict {
  /// It has arrived there.
  RECEIVED,
  /// It may go on as it is.
  PASSED,
  /// A filter has changed the message and let it pass.
  CHANGED,
  /// Its sender gets an error.
  REFUSED,
  /// It is discarded, and its sender is not told.
  DROPPED,
  /// It goes to several receivers.
  EXPANDED,
  /// It is on its way to another node.
  FORWARDED,
  /// It is on disk, or waits there.
  STORED,
  /// It is kept until its receiver accepts the sender.
  HELD,
  /// It was given to a session.
  DELIVERED,
  /// Its bytes have left.
  WRITTEN,
  /// Its receiver has acknowledged it.
  ACKNOWLEDGED,
  /// A push service was asked to notify the client.
  NOTIFIED,
  /// It waits.
  QUEUED,
  /// It was sent to another server, or to a component.
  SENT,
  /// It has waited, and its sender gets an error.
  BOUNCED,
  /// All that it has caused is done.
  HANDLED;

  /// The word for people and programs, such as `passed`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The verdict of a word; null if there is none, as of another version.
  public static @Nullable Verdict of(String word) {
    for (Verdict each : values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    return null;
  }

  /// The verdict of a decision with that effect.
  public static Verdict of(Effect effect) {
    return switch (effect) {
      case REFUSED -> REFUSED;
      case DROPPED -> DROPPED;
      case STORED -> STORED;
      case HELD -> HELD;
      case QUEUED, NONE -> QUEUED;
      case BOUNCED -> BOUNCED;
      case NOTIFIED -> NOTIFIED;
      case DELIVERED -> DELIVERED;
    };
  }
}
