package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;
import org.jspecify.annotations.Nullable;

/// Looks at presence on its way. Presence of the subscription types (subscribe, subscribed,
/// unsubscribe, unsubscribed) may block; for the others it must not.
@FunctionalInterface
public interface PresenceFilter {
  /// Judges presence at `home`; `session` is the sending session at [HookPoint#SENT_BY_CLIENT],
  /// else null.
  Verdict filter(Presence presence, Home home, @Nullable Session session);
}
