package im.zonda.module.presence;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends presence on behalf of accounts.
final class PresenceSender {
  private final ModuleContext context;

  PresenceSender(ModuleContext context) {
    this.context = context;
  }

  /// Routes a copy of a stanza. The copies share its bytes.
  void send(Presence presence, Jid from, Jid to) {
    context.send(presence.withAddresses(from, to));
  }

  /// Sends an empty presence of that type.
  void send(Presence.Type type, Jid from, Jid to) {
    context.send(empty(type, from, to));
  }

  /// An empty presence of that type.
  static Presence empty(Presence.Type type, @Nullable Jid from, @Nullable Jid to) {
    return Presence.of(type, from, to, null, List.of());
  }

  /// Sends the contact the presence of every available session.
  void showSessions(Home home, Jid contact) {
    for (Session session : home.sessions()) {
      Presence presence = session.presence();
      if (presence != null) {
        send(presence, session.jid(), contact);
      }
    }
  }

  /// Sends the contact unavailable presence for every available session.
  void hideSessions(Home home, Jid contact) {
    for (Session session : home.sessions()) {
      if (session.available()) {
        send(Presence.Type.UNAVAILABLE, session.jid(), contact);
      }
    }
  }
}
