package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import org.jspecify.annotations.Nullable;

/// Looks at messages on their way. Must not block: what it needs is loaded with the home.
@FunctionalInterface
public interface MessageFilter {
  /// Judges a message at `home`; `session` is the sending session at [HookPoint#SENT_BY_CLIENT],
  /// else null.
  Verdict filter(Message message, Home home, @Nullable Session session);
}
