package im.zonda.hook;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;
import org.jspecify.annotations.Nullable;

/// Filters presence. May block for the subscription types (subscribe, subscribed, unsubscribe,
/// unsubscribed), and must not for the others.
@FunctionalInterface
public interface PresenceFilter {
  /// Decides on presence at `home`.
  ///
  /// @param session the sending session at [HookPoint#SENT_BY_CLIENT], otherwise null
  Verdict filter(Presence presence, Home home, @Nullable Session session);
}
