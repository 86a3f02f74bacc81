package im.zonda.module.invitations;

import im.zonda.account.AccountRegistration;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IdSource;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.commands.Command;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.invitations.Invitation.Kind;
import im.zonda.module.invitations.Invitation.Terms;
import im.zonda.module.invitations.StoredInvitations.Outcome;
import im.zonda.module.presence.PresenceModule;
import im.zonda.session.Home;
import im.zonda.stanza.Presence;
import im.zonda.store.AccountAddresses;
import im.zonda.store.KeyValueStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Makes invitations, approves subscription requests that have the token of one, and says which
/// accounts may be registered with one.
@Xep(
    number = 401,
    version = "0.6.0",
    title = "Ad-hoc Account Invitation Generation",
    note =
        "A token names the account that made it. An administrator may create an account whose name is reserved")
@Xep(
    number = 379,
    version = "0.3.3",
    title = "Pre-Authenticated Roster Subscription",
    note = "The server approves requests with tokens that it made itself (XEP-0401)")
public final class InvitationModule implements XmppModule {
  /// The key-value store of accounts, and of the host itself.
  public static final String STORE = StoredInvitations.STORE;

  /// The element with a token, in subscription requests and before registration (XEP-0445).
  public static final QName PREAUTH = new QName("urn:xmpp:pars:0", "preauth");

  private static final String NODE = "urn:xmpp:invite#";

  private final AdminModule admin;
  private final PresenceModule presence;
  private volatile @Nullable Installed installed;
  private volatile @Nullable BiConsumer<String, Jid> joined;
  private volatile @Nullable UnaryOperator<String> circleNames;

  private record Installed(
      StoredInvitations stored, InvitationCommands commands, NewContacts contacts) {}

  /// @param admin offers the commands, and knows the administrators
  /// @param presence has the subscription requests
  public InvitationModule(AdminModule admin, PresenceModule presence) {
    this.admin = admin;
    this.presence = presence;
    offer(
        "invite",
        "Invite user",
        InvitationCommands::mayInviteContacts,
        InvitationCommands::inviteContact);
    offer(
        "create-account",
        "Create account",
        InvitationCommands::mayInviteAccounts,
        InvitationCommands::inviteAccount);
  }

  private void offer(
      String name,
      String title,
      BiPredicate<InvitationCommands, Jid> allowed,
      BiConsumer<InvitationCommands, CommandStage> action) {
    admin.offer(
        new Command(
            NODE + name,
            title,
            from -> {
              Installed present = installed;
              return present != null && allowed.test(present.commands, from);
            },
            stage -> {
              Installed present = installed;
              if (present == null) {
                stage.fail("Invitations are switched off.");
              } else {
                action.accept(present.commands, stage);
              }
            }));
  }

  @Override
  public String name() {
    return "invitations";
  }

  @Override
  public Ports ports() {
    return Ports.of(AccountRegistration.class, AccountAddresses.class, ExternalComponents.class)
        .withKeyValues(STORE);
  }

  @Override
  public void install(ModuleContext context) {
    StoredInvitations stored =
        new StoredInvitations(
            context.keyValues(STORE), context.domain(), context.clock(), context.ids());
    NewContacts contacts = new NewContacts(context, presence);
    contacts.install();
    presence.onRequest(
        InvitationModule::hasToken, (home, request) -> redeem(stored, home, request));
    installed =
        new Installed(
            stored, new InvitationCommands(context, stored, admin::isAdministrator), contacts);
    AccountRegistration accounts = context.port(AccountRegistration.class);
    HostInvitations ofHost =
        new HostInvitations(
            new HostInvitations.Parts(
                context.keyValues(STORE), context.domain(), context.clock(), context.ids()),
            context::config,
            account -> accounts.created(account) != null,
            this::circle);
    new InvitationActions(ofHost, context.port(AccountAddresses.class))
        .offers()
        .forEach(context::offer);
  }

  @Override
  public void stop() {
    installed = null;
    presence.onRequest(request -> false, (home, request) -> false);
  }

  // ---- subscription requests (XEP-0379)

  private static boolean hasToken(Presence request) {
    return request.has(PREAUTH);
  }

  /// Whether the request has a valid token of the account, which is used by it.
  private static boolean redeem(StoredInvitations stored, Home home, Presence request) {
    Element preauth = request.payload(PREAUTH);
    Invitation invitation = preauth == null ? null : stored.find(preauth.attribute("token"));
    return invitation != null
        && invitation.terms().kind() == Kind.CONTACT
        && invitation.owner().equals(home.jid())
        && stored.use(invitation);
  }

  // ---- registration

  /// Whether accounts may be registered by invitation at the host of a configuration.
  public static boolean permitsRegistration(ServerConfig config) {
    return !config.modulesOff().contains("invitations")
        && config.services().invitations().accounts() != Inviters.NOBODY;
  }

  /// The invitation of a token with which an account may be registered; null if there is none, or
  /// it has expired or been used. Blocks.
  public @Nullable Invitation findForRegistration(@Nullable String token) {
    Invitation found = find(token);
    return found != null && found.registers() ? found : null;
  }

  /// The invitation of a token; null if there is none, or it has expired or been used. Blocks.
  public @Nullable Invitation find(@Nullable String token) {
    Installed present = installed;
    return present == null ? null : present.stored.find(token);
  }

  /// The `xmpp:` URI of an invitation.
  ///
  /// @param token the token by which it was found
  public static String uri(Invitation invitation, String token) {
    return InvitationLink.uri(
        new Outcome.Issued(new InvitationToken(token, invitation.owner()), invitation));
  }

  /// Whether the username of an account is reserved by an invitation. Blocks.
  ///
  /// @param own the invitation with which it is to be registered, which does not count; or null
  public boolean isReserved(Jid account, @Nullable Invitation own) {
    Installed present = installed;
    String local = account.local();
    return present != null && local != null && present.stored.isReserved(local, own);
  }

  /// An account has been registered with an invitation, whose stored value was removed with that.
  /// Makes it and the inviter contacts if the invitation says so, and adds it to the circle of the
  /// invitation. Blocks.
  public void registered(Invitation invitation, Jid account) {
    Installed present = installed;
    if (present == null) {
      return;
    }
    present.stored.forgetName(invitation);
    Jid inviter = invitation.contact();
    if (inviter != null) {
      present.contacts.connect(inviter, account);
    }
    BiConsumer<String, Jid> circles = joined;
    String circle = invitation.circle();
    if (circle != null && circles != null) {
      circles.accept(circle, account);
    }
  }

  /// Has `observer` add new accounts to circles, by the name of the circle. It may block. Replaces
  /// the one before; null is none.
  public void onJoin(@Nullable BiConsumer<String, Jid> observer) {
    joined = observer;
  }

  /// Has `names` give the name of a circle as it is written; it may block, and throws an
  /// [IllegalArgumentException] if there is none. Replaces the one before; null is none.
  public void nameCirclesBy(@Nullable UnaryOperator<String> names) {
    circleNames = names;
  }

  private String circle(String given) {
    UnaryOperator<String> names = circleNames;
    if (names == null) {
      throw new IllegalArgumentException("circles are switched off");
    }
    return names.apply(given);
  }

  // ---- for operators

  /// Those of the accounts whose usernames invitations have reserved. Blocks.
  ///
  /// @param store the store [#STORE]
  public static List<Jid> reservedOf(KeyValueStore store, List<Jid> accounts, InstantSource clock) {
    List<Jid> reserved = new ArrayList<>();
    accounts.stream()
        .collect(Collectors.groupingBy(Jid::domain))
        .forEach((domain, ofHost) -> {
          StoredInvitations stored =
              new StoredInvitations(store, Jid.of(domain), clock, InvitationModule::noToken);
          reserved.addAll(stored.reservedOf(ofHost));
        });
    return reserved;
  }

  private static String noToken() {
    throw new IllegalStateException("reading makes no token");
  }

  /// What an operator invites someone to.
  ///
  /// @param username the local part that the new account must have; null for any
  /// @param inviter the account that invites, and becomes a contact of the new one; null for the
  ///   host itself
  /// @param circle the name of the circle that the new account joins, or null
  /// @param time for which the invitation is valid; null for that of the configuration
  public record Offer(
      @Nullable String username,
      @Nullable Jid inviter,
      @Nullable String circle,
      @Nullable Duration time) {}

  /// An invitation that was made.
  ///
  /// @param page the URL of its page, to be sent to a person; null if there is none
  /// @param uri the `xmpp:` URI, for apps
  /// @param invitation the invitation
  public record Issued(@Nullable String page, String uri, Invitation invitation) {}

  /// Makes an invitation to create an account. Blocks.
  ///
  /// @param store the store [#STORE]
  /// @param config the configuration of the host
  /// @throws IllegalArgumentException if the host takes no invitations, or has too many
  public static Issued invite(
      KeyValueStore store,
      ServerConfig config,
      Jid host,
      Offer offer,
      InstantSource clock,
      IdSource ids) {
    return invite(new StoredInvitations(store, host, clock, ids), config, offer);
  }

  /// The same in the running server.
  ///
  /// @throws IllegalArgumentException also if the module is not installed
  public Issued invite(Offer offer) {
    Installed present = installed;
    if (present == null) {
      throw new IllegalArgumentException("invitations are switched off");
    }
    return invite(present.stored, present.commands.context().config(), offer);
  }

  private static Issued invite(StoredInvitations stored, ServerConfig config, Offer offer) {
    if (!permitsRegistration(config)) {
      throw new IllegalArgumentException(
          "accounts cannot be created by invitation at "
              + stored.host()
              + "; set services.invitations.accounts to \"admins\" or \"everyone\"");
    }
    Jid inviter = offer.inviter;
    Duration time = offer.time;
    Outcome outcome =
        stored.issue(
            inviter == null ? stored.host() : inviter,
            new Terms(Kind.ACCOUNT, true, inviter != null, offer.username, offer.circle),
            time == null ? config.services().invitations().time() : time,
            inviter == null ? StoredInvitations.MOST_OF_HOST : config.limits().invitations());
    return switch (outcome) {
      case Outcome.TooMany() ->
          throw new IllegalArgumentException(
              "too many invitations"
                  + (inviter == null ? "" : " of " + inviter)
                  + " have not been used; revoke some, or wait until they expire");
      case Outcome.NameReserved() ->
          throw new IllegalArgumentException(offer.username + " is reserved by another invitation");
      case Outcome.Issued issued ->
          new Issued(
              InvitationLink.landingUrl(issued, config),
              InvitationLink.uri(issued),
              issued.invitation());
    };
  }

  /// The valid invitations of a host itself, or of an account. Blocks.
  ///
  /// @param store the store [#STORE]
  public static List<Invitation> invitationsOf(
      KeyValueStore store, Jid owner, InstantSource clock) {
    return new StoredInvitations(store, owner.domainJid(), clock, InvitationModule::noToken)
        .of(owner);
  }

  /// The same for the host and accounts of it; those without invitations are missing.
  static Map<Jid, List<Invitation>> invitationsOf(
      KeyValueStore store, Jid host, Collection<Jid> owners, InstantSource clock) {
    return new StoredInvitations(store, host, clock, InvitationModule::noToken).of(owners);
  }

  /// The invitation of a token, of a link or of the address of its page; null if there is none, or
  /// it has expired or been used. Blocks.
  ///
  /// @param store the store [#STORE]
  public static @Nullable Invitation find(
      KeyValueStore store, Jid host, String text, InstantSource clock) {
    return new StoredInvitations(store, host, clock, InvitationModule::noToken)
        .find(InvitationLink.tokenIn(text));
  }

  /// Revokes an invitation; false if it has been used. Blocks.
  ///
  /// @param store the store [#STORE]
  public static boolean revoke(KeyValueStore store, Invitation invitation, InstantSource clock) {
    Jid host = invitation.owner().domainJid();
    return new StoredInvitations(store, host, clock, InvitationModule::noToken).use(invitation);
  }
}
