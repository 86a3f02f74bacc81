package im.zonda.module;

import im.zonda.stanza.Message;
import java.time.Instant;

/// Marks a message that is delivered later than it was sent.
@FunctionalInterface
public interface LateDelivery {
  /// The message to deliver in its place; `time` is when the server received it.
  Message mark(Message message, Instant time);
}
