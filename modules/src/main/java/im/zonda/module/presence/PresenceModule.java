package im.zonda.module.presence;

import im.zonda.config.ServerConfig;
import im.zonda.config.limits.HeapShare;
import im.zonda.config.limits.Limits;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Presence and subscriptions (RFC 6121, sections 3 and 4).
///
/// Must be installed after the roster module. Where the RFC leaves a choice:
///
/// - A probe of someone who may not see the presence is answered with `unsubscribed`, whether or
///   not the account exists or a request is pending. It reveals nothing and synchronizes rosters
///   (section 4.3.2).
/// - Subscription stanzas for an account that does not exist are ignored, as if the request were
///   pending (section 8.5.1).
/// - A pre-approval is used up by the request that it approves, and ends with `unsubscribed`
///   (section 3.4).
public final class PresenceModule implements XmppModule {
  private static final Element PRE_APPROVAL = Element.of("urn:xmpp:features:pre-approval", "sub");

  private final RosterModule roster;
  private @Nullable PresenceVisibility installedVisibility;
  private @Nullable Availability installedAvailability;
  private volatile @Nullable PresenceMemory installedMemory;
  private volatile Consumer<Home> hiding = home -> {};
  private volatile BiPredicate<Home, Jid> held = (home, contact) -> false;
  private @Nullable Subscriptions installedSubscriptions;
  private final InvitedRequests invited = new InvitedRequests();

  /// @param roster the module whose rosters decide who sees presence
  public PresenceModule(RosterModule roster) {
    this.roster = roster;
  }

  /// Never sends presence to those who match, whatever their subscription.
  public void blockPresence(BiPredicate<Home, Jid> whom) {
    roster.rosters().blockPresence(whom);
  }

  /// Sends unavailable presence to those who see the account and no longer may.
  ///
  /// @param whom matches those who may not
  /// @param clients full addresses among them
  public void hide(Home home, Predicate<Jid> whom, List<Jid> clients) {
    visibility().hide(home, whom, clients);
    hiding.accept(home);
  }

  /// Has `observer` see homes that have hidden their presence from more addresses, as those that
  /// they block. Replaces the one before.
  public void onHide(Consumer<Home> observer) {
    hiding = observer;
  }

  /// Sends the current presence to those who may see the account again, and probes theirs.
  ///
  /// @param whom matches those who may see it again
  /// @param clients full addresses among them
  public void show(Home home, Predicate<Jid> whom, List<Jid> clients) {
    visibility().show(home, whom, clients);
  }

  /// Whether a session of the account has sent directed presence to that bare address, or to one of
  /// its resources such as an occupant of a room, and has not taken it back.
  public boolean hasDirected(Home home, Jid bare) {
    return visibility().hasDirected(home, bare);
  }

  /// Broadcasts another presence for a session that is available, as if its client had sent it.
  public void broadcast(Presence presence, Home home, Session session) {
    Availability availability = installedAvailability;
    if (availability != null && session.available()) {
      availability.broadcast(presence, home, session);
    }
  }

  /// Has another module approve subscription requests that arrive, as if the user had approved them
  /// and requested the sender's presence in return. Replaces the one before.
  ///
  /// @param candidates matches requests that may be approved; must not block
  /// @param approves whether the request of a candidate is approved; asked at most once for each,
  ///   and only if there is room for the contact in the roster. May block
  public void onRequest(Predicate<Presence> candidates, BiPredicate<Home, Presence> approves) {
    invited.set(candidates, approves);
  }

  /// Adds a contact with a mutual subscription, which the other side has too. May block.
  ///
  /// @return false if the roster is full
  public boolean addContact(Home home, Jid contact) {
    return subscriptions().addContact(home, contact);
  }

  /// Adds a contact with a mutual subscription, which the other side has too or gets next, and puts
  /// it into a group. Can be repeated. May block.
  ///
  /// @param isKnown whether the other side has the user in its roster already: then each gets the
  ///   other's presence. To be true for the second one of the two, so that their clients know the
  ///   contact before its presence comes
  /// @return false if the roster is full
  public boolean addContact(Home home, Jid contact, String group, boolean isKnown) {
    return subscriptions().addContact(home, contact, group, isKnown);
  }

  private Subscriptions subscriptions() {
    Subscriptions subscriptions = installedSubscriptions;
    if (subscriptions == null) {
      throw new IllegalStateException("the presence module is not installed");
    }
    return subscriptions;
  }

  /// Approves the request of a contact who has moved: the new address takes the place of the old
  /// one, which sees the user's presence no more (XEP-0283, section 4.4). May block.
  ///
  /// @return false if the roster is full
  public boolean acceptMoved(Home home, Jid contact, Jid old) {
    return subscriptions().acceptMoved(home, contact, old);
  }

  /// Stores a subscription request that another module holds back, so that it survives the server;
  /// clients do not get it. May block.
  ///
  /// @return false if nothing was stored and the request is to be handled as usual
  public boolean keepRequest(Home home, Presence request) {
    return subscriptions().keepRequest(request, home);
  }

  /// Delivers a subscription request that was held back, unless it has been answered or withdrawn.
  public void releaseRequest(Home home, Presence request) {
    subscriptions().releaseRequest(request, home);
  }

  /// Whether a contact's subscription request is unanswered.
  public boolean isRequestPending(Home home, Jid contact) {
    return subscriptions().isPending(home, contact);
  }

  /// Does not deliver the stored requests of contacts that match to a session that becomes
  /// available. Replaces the one before.
  public void holdRequests(BiPredicate<Home, Jid> ofWhom) {
    held = ofWhom;
  }

  private PresenceVisibility visibility() {
    if (installedVisibility == null) {
      throw new IllegalStateException("the presence module is not installed");
    }
    return installedVisibility;
  }

  @Override
  public String name() {
    return "presence";
  }

  @Override
  public void install(ModuleContext context) {
    Supplier<Limits> limits = () -> context.config().limits();
    PresenceMemory memory = new PresenceMemory(most(context.config()));
    installedMemory = memory;
    Rosters rosters = roster.rosters();
    PresenceSender sender = new PresenceSender(context);
    DirectedPresence directed = new DirectedPresence(() -> limits.get().directedPresences());
    Availability availability =
        new Availability(
            rosters, directed, memory, sender, (home, contact) -> held.test(home, contact));
    installedAvailability = availability;
    PresenceVisibility visibility = new PresenceVisibility(rosters, directed, sender);
    installedVisibility = visibility;
    Probes probes = new Probes(rosters, directed, sender);
    Subscriptions subscriptions =
        new Subscriptions(
            rosters,
            sender,
            invited,
            () -> limits.get().rosterItems(),
            () -> limits.get().rosterBytes(),
            () -> limits.get().rosterGroups());
    installedSubscriptions = subscriptions;
    context.addStreamFeature(() -> PRE_APPROVAL);
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.RECORD,
        (presence, home, session) -> sent(presence, home, session, availability, subscriptions));
    context.onPresence(
        HookPoint.ARRIVING,
        Phase.RECORD,
        (presence, home, session) -> arriving(presence, home, availability, probes, subscriptions));
    rosters.onGroupChange(visibility::groupsChanged);
    context.onMessage(
        HookPoint.SENT_BY_CLIENT,
        Phase.RECORD,
        (message, home, session) -> chat(message, message.to(), home, visibility));
    context.onMessage(
        HookPoint.ARRIVING,
        Phase.RECORD,
        (message, home, session) -> chat(message, message.from(), home, visibility));
    context.onSession(
        new SessionListener() {
          @Override
          public void ended(Home home, Session session) {
            availability.ended(home, session);
          }
        });
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    PresenceMemory memory = installedMemory;
    if (memory != null) {
      memory.resize(most(after));
    }
    return true;
  }

  /// The bound for one host.
  private static long most(ServerConfig config) {
    long heap = Runtime.getRuntime().maxMemory();
    return HeapShare.PRESENCE.bound(config.limits().presenceBytes(), heap) / config.hosts().size();
  }

  /// A chat with someone of a large group begins with its first message with a text.
  private static Verdict chat(
      Message message, @Nullable Jid other, Home home, PresenceVisibility visibility) {
    if (other != null
        && message.type() == Message.Type.CHAT
        && message.hasBody()
        && other.domain().equals(home.jid().domain())) {
      visibility.chatOpened(home, other.bare());
    }
    return Verdict.pass();
  }

  private static Verdict sent(
      Presence presence,
      Home home,
      @Nullable Session session,
      Availability availability,
      Subscriptions subscriptions) {
    if (session == null) {
      return Verdict.pass();
    }
    return switch (presence.type()) {
      case AVAILABLE, UNAVAILABLE ->
          presence.to() == null
              ? availability.broadcast(presence, home, session)
              : availability.directed(presence, home, session);
      case SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED ->
          subscriptions.outbound(presence, home);
      case PROBE, ERROR -> presence.to() == null ? Verdict.handled() : Verdict.pass();
    };
  }

  private static Verdict arriving(
      Presence presence,
      Home home,
      Availability availability,
      Probes probes,
      Subscriptions subscriptions) {
    return switch (presence.type()) {
      case AVAILABLE, UNAVAILABLE, ERROR -> {
        availability.arrived(presence, home);
        // Guests have sessions and no account.
        yield home.exists() || !home.sessions().isEmpty() ? Verdict.pass() : Verdict.handled();
      }
      case SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED ->
          subscriptions.inbound(presence, home);
      case PROBE -> probes.answer(presence, home);
    };
  }
}
