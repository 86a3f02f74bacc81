package im.zonda.router;

import org.jspecify.annotations.Nullable;

/// How an attempt to resume a session ended (XEP-0198, section 5).
public sealed interface Resumed {
  /// The session is the new stream's, once it is attached.
  ///
  /// @param handled the stanzas of the client that have been handled
  record Done(BoundSession session, long handled) implements Resumed {}

  /// There is no such session.
  ///
  /// @param handled the stanzas that were handled before it ended, if that is known
  record NotFound(@Nullable Long handled) implements Resumed {}

  /// What the client has sent before is still being stored, so that the server cannot tell yet what
  /// the client must send again. The session waits for another attempt.
  record Unsettled() implements Resumed {}

  /// The client claims to have more than was sent; it cannot be trusted with the session.
  ///
  /// @param sent the stanzas that were sent
  record TooHigh(long sent) implements Resumed {}
}
