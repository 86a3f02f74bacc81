package im.zonda.hook;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;
import org.jspecify.annotations.Nullable;

/// Filters presence. May block for the subscription types (subscribe, subscribed, unsubscribe,
/// unsubscribed); for the others only if it says so.
@FunctionalInterface
public interface PresenceFilter {
  /// Decides on presence at `home`.
  ///
  /// @param session the sending session at [HookPoint#SENT_BY_CLIENT], otherwise null
  Verdict filter(Presence presence, Home home, @Nullable Session session);

  /// Whether [#filter] may block or take long for any presence. If so, all presence that passes the
  /// hook point at this host is handled on a thread of its own, in order. Always the same.
  default boolean mayBlock() {
    return false;
  }
}
