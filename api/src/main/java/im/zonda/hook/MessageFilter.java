package im.zonda.hook;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import org.jspecify.annotations.Nullable;

/// Filters messages. Must not block, unless it says so: what it needs is loaded with the home.
@FunctionalInterface
public interface MessageFilter {
  /// Decides on a message at `home`.
  ///
  /// @param session the sending session at [HookPoint#SENT_BY_CLIENT], otherwise null
  Verdict filter(Message message, Home home, @Nullable Session session);

  /// Whether [#filter] may block or take long. If so, every message that passes the hook point at
  /// this host is handled on a thread of its own, in order. Always the same.
  default boolean mayBlock() {
    return false;
  }
}
