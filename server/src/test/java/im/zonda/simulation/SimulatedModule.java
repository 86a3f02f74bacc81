package im.zonda.simulation;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.StorageRule;
import im.zonda.hook.Verdict;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.QName;

/// As much of RFC 6121 as the simulation needs: who is available, what is not stored, a ping. It
/// also sees which messages are rejected, and lets other threads run before a message is delivered.
final class SimulatedModule implements XmppModule {
  private static final QName PING = new QName("urn:xmpp:ping", "ping");
  private static final QName NO_STORE = new QName("urn:xmpp:hints", "no-store");

  private final Ledger ledger;
  private final Runnable others;

  /// @param others what other threads do while the one that delivers a message is stopped
  SimulatedModule(Ledger ledger, Runnable others) {
    this.ledger = ledger;
    this.others = others;
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public void install(ModuleContext context) {
    context.onIq(Iq.Type.GET, PING, Addressee.OWN_ACCOUNT, request -> IqReply.empty());
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REFUSE,
        (presence, home, session) -> {
          if (presence.to() != null || session == null) {
            return Verdict.pass();
          }
          session.presence(presence.type() == Presence.Type.AVAILABLE ? presence : null);
          return Verdict.handled();
        });
    context.onMessage(
        HookPoint.ARRIVING,
        Phase.REFUSE,
        (message, home, session) -> {
          others.run();
          if (message.type() == Message.Type.ERROR) {
            ledger.refused(message.id());
          }
          return Verdict.pass();
        });
    context.onStorage(message ->
        message.has(NO_STORE) ? StorageRule.Decision.SKIP : StorageRule.Decision.UNDECIDED);
  }
}
