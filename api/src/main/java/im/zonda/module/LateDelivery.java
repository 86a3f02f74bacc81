package im.zonda.module;

import im.zonda.stanza.Message;
import java.time.Instant;

/// Marks a message that is delivered later than it was sent.
@FunctionalInterface
public interface LateDelivery {
  /// The message to deliver in its place; `time` is when the server received it, or sent it first
  /// to a session that gets it again. A message that was marked before keeps its mark.
  Message mark(Message message, Instant time);
}
