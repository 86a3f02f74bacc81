package im.zonda.module.strangers;

import im.zonda.config.S2s;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.DomainService;
import im.zonda.module.ModuleContext;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StanzaError;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RosterItem;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides who is a stranger, and what is done with a stranger's messages. Used in the mailboxes of
/// homes.
final class StrangerPolicy {
  /// The only key of an account in the store.
  private static final String STORED = "addresses";

  private static final Verdict REJECTED =
      new Verdict.Refuse(
          StanzaError.of(ErrorCondition.SUBSCRIPTION_REQUIRED)
              .withText("Only contacts may send messages to this address."),
          Reason.STRANGER);

  private static final String CHAT_STATES = "http://jabber.org/protocol/chatstates";
  private static final String HINTS = "urn:xmpp:hints";
  private static final QName THREAD = new QName(Namespaces.CLIENT, "thread");

  private final ModuleContext context;
  private final DomainService.LocalDomains local;
  private final RosterModule roster;
  private final PresenceModule presence;
  private final KeyValueStore store;
  private final HomeKey<Correspondents> key;
  private final MessageHold holding;

  /// @param leaving the held messages that are being delivered; a concurrent set
  StrangerPolicy(
      ModuleContext context,
      RosterModule roster,
      PresenceModule presence,
      Set<MessageHold.Leaving> leaving) {
    this.context = context;
    this.local = context.port(DomainService.LocalDomains.class);
    this.roster = roster;
    this.presence = presence;
    this.store = context.keyValues("strangers");
    this.key =
        new HomeKey<>(
            "strangers", account -> Correspondents.of(account, store.get(account, STORED)));
    context.addHomeState(key);
    this.holding =
        new MessageHold(
            context,
            (home, bare) -> ruleOf(bare, home) != S2s.Strangers.ACCEPT && !isKnown(home, bare),
            (home, other) -> roster.rosters().isPresenceBlocked(home, other),
            leaving);
  }

  /// The messages that are held.
  MessageHold holding() {
    return holding;
  }

  /// What is done with messages of strangers at that address.
  private S2s.Strangers ruleOf(@Nullable Jid other, Home home) {
    if (other == null || other.domain().equals(home.jid().domain())) {
      return S2s.Strangers.ACCEPT;
    }
    S2s.Strangers rule = context.config().s2s().strangersOf(other.domain());
    return rule != S2s.Strangers.ACCEPT && local.isServed(other.domain())
        ? S2s.Strangers.ACCEPT
        : rule;
  }

  /// Decides on a message that arrives.
  Verdict judge(Message message, Home home) {
    Jid from = message.from();
    if (!isConversation(message) || from == null || from.domain().equals(home.jid().domain())) {
      return Verdict.pass();
    }
    Jid bare = from.bare();
    S2s.Strangers rule = ruleOf(from, home);
    if (rule == S2s.Strangers.ACCEPT || (home.exists() && isKnown(home, bare))) {
      // Not before those that are held.
      return holding.holdsOf(home, bare) && context.keep(home, message) != null
          ? holding.hold(home, message, from)
          : Verdict.pass();
    }
    if (rule == S2s.Strangers.REJECT) {
      return REJECTED;
    }
    if (!home.exists()) {
      return Verdict.pass(); // it is answered as where all are accepted
    }
    if (context.keep(home, message) != null) {
      return holding.hold(home, message, from);
    }
    // What is not stored cannot be held. A chat state is dropped, as where no session is available.
    return isChatState(message) ? new Verdict.Drop(Reason.STRANGER) : REJECTED;
  }

  private static boolean isConversation(Message message) {
    return message.type() == Message.Type.NORMAL || message.type() == Message.Type.CHAT;
  }

  /// Whether the message has a chat state (XEP-0085) and nothing else but the conversation that it
  /// is about, or hints (XEP-0334).
  private static boolean isChatState(Message message) {
    List<QName> names = message.payloadNames();
    return names.stream().anyMatch(name -> name.namespace().equals(CHAT_STATES))
        && names.stream()
            .allMatch(name ->
                name.namespace().equals(CHAT_STATES)
                    || name.namespace().equals(HINTS)
                    || name.equals(THREAD));
  }

  private boolean isKnown(Home home, Jid bare) {
    return isContact(home, bare)
        || home.state(key).contains(bare)
        || presence.hasDirected(home, bare);
  }

  private boolean isContact(Home home, Jid bare) {
    RosterItem item = roster.rosters().of(home).find(bare);
    return item != null && item.listed();
  }

  /// Remembers whom the account has written to, so that the answer is accepted.
  void noteSent(Message message, Home home) {
    Jid to = message.to();
    if (!isConversation(message) || to == null || ruleOf(to, home) == S2s.Strangers.ACCEPT) {
      return;
    }
    Jid bare = to.bare();
    if (!isContact(home, bare)) {
      if (home.state(key).add(bare)) {
        context.atHome(home.jid(), this::store); // it blocks, and filters must not
      }
      holding.reviewLater(home);
    }
  }

  /// Stores the addresses. If that fails, the next new one stores them.
  private void store(Home home) {
    if (home.exists()) {
      store.put(home.jid(), STORED, home.state(key).takeForStore());
    }
  }
}
