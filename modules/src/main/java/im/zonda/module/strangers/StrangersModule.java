package im.zonda.module.strangers;

import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.module.DomainService;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.store.AccountAddresses;
import im.zonda.store.MessageLog;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Rejects or holds messages of strangers from other servers where `s2s.strangers` says so.
///
/// A stranger is a bare address that is not in the receiver's roster, that the receiver has not
/// written to, and to which no session of the receiver has sent directed presence; so rooms that
/// the receiver is in are none. Subscription requests, other presence, IQs, headlines, groupchat
/// messages and errors pass.
///
/// The answer is `subscription-required` (RFC 6120, section 8.3.3.20). Where messages are rejected,
/// that is so for accounts that do not exist as well, so that it does not say which do. Where they
/// are held, an account that does not exist answers `service-unavailable`, as where all are
/// accepted: the sender of a message that no one will ever read must learn that.
///
/// Messages that are held stay in the store when the policy changes, and are delivered soon after
/// where all are accepted. No filter is declared there.
public final class StrangersModule implements XmppModule {
  private final RosterModule roster;
  private final PresenceModule presence;

  /// The held messages that are being delivered, also while the module is installed again.
  private final Set<MessageHold.Leaving> leaving = ConcurrentHashMap.newKeySet();

  /// @param roster the module whose rosters say who is a contact
  /// @param presence the module that knows where directed presence was sent
  public StrangersModule(RosterModule roster, PresenceModule presence) {
    this.roster = roster;
    this.presence = presence;
  }

  @Override
  public String name() {
    return "strangers";
  }

  @Override
  public Ports ports() {
    return Ports.of(DomainService.LocalDomains.class, MessageLog.class, AccountAddresses.class)
        .withKeyValues("strangers")
        .withKeyValues("held");
  }

  @Override
  public void install(ModuleContext context) {
    S2s s2s = context.config().s2s();
    if (!s2s.enabled() && !s2s.judgesStrangers()) {
      return;
    }
    StrangerPolicy policy = new StrangerPolicy(context, roster, presence, leaving);
    MessageHold holding = policy.holding();
    context.onSession(
        new SessionListener() {
          @Override
          public void bound(Home home, Session session) {
            holding.reviewLater(home);
          }
        });
    if (s2s.judgesStrangers()) {
      declare(context, policy);
    }
    new HeldRounds(context, holding, !s2s.judgesStrangers()).start();
  }

  private void declare(ModuleContext context, StrangerPolicy policy) {
    MessageHold holding = policy.holding();
    context.onMessage(
        HookPoint.SENT_BY_CLIENT,
        Phase.RECORD,
        (message, home, session) -> {
          policy.noteSent(message, home);
          return Verdict.pass();
        });
    // Not REFUSE: what waits in the log was accepted once, and the author of a message that a room
    // of this server passes on may be anyone. After REWRITE, as what is held passes no filter
    // again.
    context.onMessage(
        HookPoint.ARRIVING, Phase.RECORD, (message, home, session) -> policy.judge(message, home));
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REWRITE,
        (stanza, home, session) -> {
          if (stanza.to() != null && holding.holdsOf(home, stanza.to().bare())) {
            holding.reviewAfter(home.jid());
          }
          return Verdict.pass();
        });
    roster.rosters().onPush(name(), (home, query) -> holding.reviewLater(home));
    presence.onHide(holding::reviewLater);
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.s2s().judgesStrangers() == after.s2s().judgesStrangers();
  }

  @Override
  public void stop() {
    roster.rosters().onPush(name(), null);
    presence.onHide(home -> {});
  }
}
