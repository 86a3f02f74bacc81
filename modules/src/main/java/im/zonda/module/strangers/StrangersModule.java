package im.zonda.module.strangers;

import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RosterItem;
import org.jspecify.annotations.Nullable;

/// Rejects messages of strangers from other servers where `s2s.strangers` says so.
///
/// A stranger is a bare address that is not in the receiver's roster, that the receiver has not
/// written to, and to which no session of the receiver has sent directed presence; so rooms that
/// the receiver is in are none. The answer is `subscription-required` (RFC 6120, section 8.3.3.20),
/// for accounts that do not exist as well, so that it does not say which do. Subscription requests,
/// other presence, IQs, headlines, groupchat messages and errors pass.
///
/// Declares nothing unless messages of some domain are rejected.
public final class StrangersModule implements XmppModule {
  /// The only key of an account in the store.
  private static final String STORED = "addresses";

  private static final StanzaError REJECTED =
      StanzaError.of(ErrorCondition.SUBSCRIPTION_REQUIRED)
          .withText("Only contacts may send messages to this address.");

  private final RosterModule roster;
  private final PresenceModule presence;

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
    return Ports.of(DomainService.LocalDomains.class).withKeyValues("strangers");
  }

  @Override
  public void install(ModuleContext context) {
    if (!context.config().s2s().rejectsStrangers()) {
      return;
    }
    KeyValueStore store = context.keyValues("strangers");
    HomeKey<Correspondents> key =
        new HomeKey<>("strangers", account -> Correspondents.of(store.get(account, STORED)));
    context.addHomeState(key);
    Policy policy = new Policy(context, context.port(DomainService.LocalDomains.class), store, key);
    context.onMessage(
        HookPoint.SENT_BY_CLIENT,
        Phase.RECORD,
        (message, home, session) -> {
          policy.noteSent(message, home);
          return Verdict.pass();
        });
    // Not REFUSE: what waits in the log was accepted once, and the author of a message that a room
    // of this server passes on may be anyone.
    context.onMessage(
        HookPoint.ARRIVING,
        Phase.REWRITE,
        (message, home, session) ->
            policy.rejects(message, home) ? new Verdict.Refuse(REJECTED) : Verdict.pass());
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.s2s().rejectsStrangers() == after.s2s().rejectsStrangers();
  }

  private final class Policy {
    private final ModuleContext context;
    private final DomainService.LocalDomains local;
    private final KeyValueStore store;
    private final HomeKey<Correspondents> key;

    private Policy(
        ModuleContext context,
        DomainService.LocalDomains local,
        KeyValueStore store,
        HomeKey<Correspondents> key) {
      this.context = context;
      this.local = local;
      this.store = store;
      this.key = key;
    }

    /// Whether the address is of another server whose strangers are rejected.
    private boolean concerns(@Nullable Jid other, Home home) {
      return other != null
          && !other.domain().equals(home.jid().domain())
          && context.config().s2s().strangersOf(other.domain()) == S2s.Strangers.REJECT
          && !local.isServed(other.domain());
    }

    private boolean rejects(Message message, Home home) {
      Jid from = message.from();
      if (!isConversation(message) || from == null || !concerns(from, home)) {
        return false;
      }
      Jid bare = from.bare();
      return !home.exists()
          || !(isContact(home, bare)
              || home.state(key).contains(bare)
              || presence.hasDirected(home, bare));
    }

    private static boolean isConversation(Message message) {
      return message.type() == Message.Type.NORMAL || message.type() == Message.Type.CHAT;
    }

    private boolean isContact(Home home, Jid bare) {
      RosterItem item = roster.rosters().of(home).find(bare);
      return item != null && item.listed();
    }

    /// Remembers whom the account has written to, so that the answer is accepted.
    private void noteSent(Message message, Home home) {
      Jid to = message.to();
      if (!isConversation(message) || to == null || !concerns(to, home)) {
        return;
      }
      Jid bare = to.bare();
      if (!isContact(home, bare) && home.state(key).add(bare)) {
        context.atHome(home.jid(), this::store); // it blocks, and filters must not
      }
    }

    /// Stores the addresses. If that fails, the next new one stores them.
    private void store(Home home) {
      if (home.exists()) {
        store.put(home.jid(), STORED, home.state(key).takeForStore());
      }
    }
  }
}
