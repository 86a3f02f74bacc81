package im.zonda.hook;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import java.util.List;

/// Observes messages that have passed the filters, at the account's home. Must not block.
public interface DeliveryListener {
  /// A message for the account was delivered to `targets`. There are none if it was only stored, or
  /// ignored because no session is available (RFC 6121, section 8.5). Not called for a message that
  /// was rejected.
  ///
  /// @param message the delivered message; with the account's `stanza-id` if it is in the log
  default void delivered(Home home, Message message, List<? extends Session> targets) {}

  /// A session of the account has sent a message, which is routed next.
  ///
  /// @param id its id in the account's message log, or 0 if it was not stored
  /// @param session the session that sent it
  default void sent(Home home, Message message, long id, Session session) {}
}
