package im.zonda.module.pubsub.service;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings the presence of the host's own accounts to the service, as if their clients sent it
/// directed presence: when they come online and go offline, and when the service asks. Users of
/// other servers have to send it themselves (XEP-0060, section 12.19).
final class LocalPresence {
  private final ServiceNodes nodes;

  LocalPresence(ServiceNodes nodes) {
    this.nodes = nodes;
  }

  /// Begins to observe the accounts.
  void watch() {
    ModuleContext context = nodes.context();
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REWRITE,
        (presence, home, session) -> sent(presence, home, session));
    context.onPresence(
        HookPoint.ARRIVING, Phase.REWRITE, (presence, home, session) -> arriving(presence, home));
    context.onSession(
        new SessionListener() {
          @Override
          public void ended(Home home, Session session) {
            if (session.presence() != null) {
              bring(home, session.jid(), Presence.Type.UNAVAILABLE);
            }
          }
        });
  }

  private Verdict sent(Presence presence, Home home, @Nullable Session session) {
    if (session != null && presence.to() == null) {
      boolean online = session.available();
      if (presence.type() == Presence.Type.AVAILABLE && !online) {
        bring(home, session.jid(), Presence.Type.AVAILABLE);
      } else if (presence.type() == Presence.Type.UNAVAILABLE && online) {
        bring(home, session.jid(), Presence.Type.UNAVAILABLE);
      }
    }
    return Verdict.pass();
  }

  private void bring(Home home, Jid from, Presence.Type type) {
    if (!nodes.interest().isOff()) {
      nodes
          .context()
          .atHome(
              home.jid(),
              again -> {
                if (nodes.interest().isOn()) {
                  send(type, from);
                }
              });
    }
  }

  private void send(Presence.Type type, Jid from) {
    nodes
        .context()
        .send(Presence.of(type, from, nodes.domain(), nodes.context().ids().next(), List.of()));
  }

  /// Answers a probe of the service.
  private Verdict arriving(Presence presence, Home home) {
    if (presence.type() != Presence.Type.PROBE || !nodes.domain().equals(presence.from())) {
      return Verdict.pass();
    }
    for (Session session : home.sessions()) {
      if (session.available()) {
        send(Presence.Type.AVAILABLE, session.jid());
      }
    }
    return Verdict.handled();
  }
}
