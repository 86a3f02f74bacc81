package im.zonda.hook;

import im.zonda.stanza.Message;
import java.time.Instant;

/// Adds the delay to a message that is delivered later than it was sent (XEP-0203).
@FunctionalInterface
public interface LateDelivery {
  /// Returns the message with its delay; one that has it already stays as it is.
  ///
  /// @param time when the server received the message, or first sent it to a session that gets it
  ///   again
  Message mark(Message message, Instant time);
}
