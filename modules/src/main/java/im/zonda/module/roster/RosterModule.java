package im.zonda.module.roster;

import im.zonda.account.OnlineAccounts;
import im.zonda.account.RemovedUser;
import im.zonda.group.SharedGroups;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.Subscription;
import im.zonda.xml.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The contact list (RFC 6121, section 2): get, set, push, versions.
///
/// A version that is not the current one gets the whole roster. Results and pushes name the version
/// also to clients that sent none: the server offers versioning (section 2.6). Roster requests for
/// another account are `forbidden`, whether it exists or not.
@Xep(
    number = 237,
    version = "1.3",
    title = "Roster Versioning",
    note = "A version that is not the current one gets the whole roster")
public final class RosterModule implements XmppModule {
  private static final Element VERSIONING = Element.of("urn:xmpp:features:rosterver", "ver");

  private final SharedGroups groups;
  private @Nullable ModuleContext installedContext;
  private @Nullable Rosters installedRosters;

  /// Rosters without shared groups.
  public RosterModule() {
    this(SharedGroups.NONE);
  }

  /// @param groups the shared groups of the host
  public RosterModule(SharedGroups groups) {
    this.groups = groups;
  }

  @Override
  public String name() {
    return "roster";
  }

  @Override
  public Ports ports() {
    return Ports.of(RosterStore.class, OnlineAccounts.class);
  }

  @Override
  public void install(ModuleContext context) {
    installedContext = context;
    installedRosters = new Rosters(context, groups);
    context.addStreamFeature(() -> VERSIONING);
    context.reserveIq(Iq.Type.SET, RosterXml.QUERY);
    context.onIq(Iq.Type.GET, RosterXml.QUERY, Addressee.OWN_ACCOUNT, this::get);
    context.onIq(Iq.Type.SET, RosterXml.QUERY, Addressee.OWN_ACCOUNT, this::set);
    context.onIq(
        Iq.Type.SET, RemovedUser.CONTACT, Addressee.OTHER_ACCOUNT, this::forgetSubscriptions);
    context.onIq(Iq.Type.GET, RosterXml.QUERY, Addressee.OTHER_ACCOUNT, RosterModule::forbid);
    context.onIq(Iq.Type.SET, RosterXml.QUERY, Addressee.OTHER_ACCOUNT, RosterModule::forbid);
  }

  /// The rosters, for the modules that depend on them.
  ///
  /// @throws IllegalStateException before the module is installed
  public Rosters rosters() {
    if (installedRosters == null) {
      throw new IllegalStateException("the roster module is not installed");
    }
    return installedRosters;
  }

  private ModuleContext context() {
    if (installedContext == null) {
      throw new IllegalStateException("the roster module is not installed");
    }
    return installedContext;
  }

  private static IqReply forbid(IqRequest request) {
    return IqReply.refuse(ErrorCondition.FORBIDDEN);
  }

  private IqReply get(IqRequest request) {
    Home home = request.home();
    Roster roster = rosters().of(home);
    String known = request.payload().attribute("ver");
    Session session = request.session();
    if (session != null) {
      rosters().addInterested(session);
    }
    if (home.exists() && groups.current().misses(home.jid())) {
      groups.missed(home.jid());
    }
    String current = Rosters.version(roster);
    return current.equals(known)
        ? IqReply.empty()
        : IqReply.result(RosterXml.whole(roster, current));
  }

  private IqReply set(IqRequest request) {
    Home home = request.home();
    int maxGroups = context().config().limits().rosterGroups();
    return switch (RosterXml.read(request.payload(), maxGroups)) {
      case RosterSet.Invalid invalid -> new IqReply.Refuse(invalid.error());
      case RosterSet.Update update -> update(home, update, isPrivileged(request));
      case RosterSet.Remove remove -> remove(home, remove.jid());
    };
  }

  /// Whether a component sends the request, which has the privilege to change rosters (XEP-0356).
  private static boolean isPrivileged(IqRequest request) {
    Jid from = request.iq().from();
    return from != null && !from.bare().equals(request.home().jid());
  }

  private IqReply update(Home home, RosterSet.Update update, boolean privileged) {
    if (update.jid().equals(home.jid())) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED, "You cannot add yourself to your roster.");
    }
    Roster roster = rosters().of(home);
    RosterItem before = roster.stored(update.jid());
    // The names of shared groups stay with the groups; what the client sends has them.
    List<String> shared = roster.shared().names(update.jid());
    List<String> groupNames =
        update.groups().stream().filter(name -> !shared.contains(name)).toList();
    boolean isNew = before == null || !before.listed();
    if (isNew && roster.listed() >= context().config().limits().rosterItems()) {
      return IqReply.refuse(ErrorCondition.RESOURCE_CONSTRAINT, "The roster is full.");
    }
    int more = Roster.bytes(update.jid(), update.name(), groupNames) - (isNew ? 0 : bytes(before));
    if (more > 0 && roster.listedBytes() + more > context().config().limits().rosterBytes()) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "The names and groups in the roster are too long.");
    }
    // Clients cannot change the subscription (section 2.1.2.5).
    Subscription had = before == null ? Subscription.NONE : before.subscription();
    Subscription has = privileged && update.subscription() != null ? update.subscription() : had;
    RosterItem after =
        new RosterItem(
            update.jid(),
            update.name(),
            has,
            before != null && before.ask() && (had.to() || !has.to()),
            before != null && before.approved(),
            groupNames,
            before == null || (has.from() && !had.from()) ? null : before.request(),
            true);
    rosters().put(home, after);
    if (had.from() && !has.from() && !rosters().of(home).showsPresenceTo(update.jid())) {
      hide(home, update.jid());
    }
    return IqReply.empty();
  }

  private static int bytes(@Nullable RosterItem item) {
    return item == null ? 0 : Roster.bytes(item.jid(), item.name(), item.groups());
  }

  private IqReply remove(Home home, Jid contact) {
    Roster roster = rosters().of(home);
    if (roster.shared().sees(contact)) {
      return IqReply.refuse(
          ErrorCondition.NOT_ALLOWED,
          "This contact is in a shared group, which only an administrator can change.");
    }
    RosterItem item = roster.stored(contact);
    if (item == null || !item.listed()) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    rosters().remove(home, contact);
    cancel(home, contact, SubscriptionState.of(item));
    return IqReply.empty();
  }

  /// Removes subscriptions, requests and pre-approval of a contact whose account was removed: the
  /// next owner of the address must not have them. The name and the groups are the user's own.
  private IqReply forgetSubscriptions(IqRequest request) {
    Jid contact = RemovedUser.read(request.iq());
    Home home = request.home();
    if (contact == null) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    if (!home.exists()) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    RosterItem item = rosters().of(home).stored(contact);
    if (item == null) {
      return IqReply.empty();
    }
    if (item.listed()) {
      rosters()
          .put(
              home,
              new RosterItem(
                  contact,
                  item.name(),
                  Subscription.NONE,
                  false,
                  false,
                  item.groups(),
                  null,
                  true));
    } else {
      rosters().remove(home, contact);
    }
    return IqReply.empty();
  }

  /// Cancels the subscriptions (section 2.5.2). A pending request of the contact is denied, as
  /// there is no item left to store it.
  private void cancel(Home home, Jid contact, SubscriptionState state) {
    if (state.subscription().to() || state.pendingOut()) {
      send(Presence.Type.UNSUBSCRIBE, home.jid(), contact);
    }
    if (state.subscription().from()) {
      hide(home, contact);
    }
    if (state.subscription().from() || state.pendingIn()) {
      send(Presence.Type.UNSUBSCRIBED, home.jid(), contact);
    }
  }

  /// Sends unavailable presence of the sessions to a contact.
  private void hide(Home home, Jid contact) {
    if (rosters().isPresenceBlocked(home, contact)) {
      return;
    }
    for (Session session : home.sessions()) {
      if (session.available()) {
        send(Presence.Type.UNAVAILABLE, session.jid(), contact);
      }
    }
  }

  private void send(Presence.Type type, Jid from, Jid to) {
    context().send(Presence.of(type, from, to, context().ids().next(), List.of()));
  }
}
