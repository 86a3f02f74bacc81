package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import java.util.List;

/// Is told of messages that the filters have let through, at the account's home. Must not block.
public interface DeliveryListener {
  /// A message for the account has been dealt with: handed to `targets`, or only stored, or ignored
  /// where nobody is there to read it (RFC 6121, section 8.5); for the last two there are no
  /// targets. Not called for a message that was refused.
  ///
  /// @param message the message as it was handed on; it carries the account's own `stanza-id` if it
  ///   belongs in the message log
  default void delivered(Home home, Message message, List<? extends Session> targets) {}

  /// A client of the account has sent a message; it is routed next.
  ///
  /// @param id its id in the account's message log, or 0 if it was not kept
  /// @param session the session that sent it
  default void sent(Home home, Message message, long id, Session session) {}
}
