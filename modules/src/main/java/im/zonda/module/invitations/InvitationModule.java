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
import im.zonda.store.KeyValueStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
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
    return Ports.of(AccountRegistration.class, ExternalComponents.class).withKeyValues(STORE);
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
  /// Makes it and the inviter contacts if the invitation says so. Blocks.
  public void registered(Invitation invitation, Jid account) {
    Installed present = installed;
    if (present == null) {
      return;
    }
    present.stored.forgetName(invitation);
    if (invitation.terms().subscribes() && invitation.owner().local() != null) {
      present.contacts.connect(invitation.owner(), account);
    }
  }

  // ---- the console

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

  /// Makes an invitation of the host itself. Blocks.
  ///
  /// @param store the store [#STORE]
  /// @param config the configuration of the host
  /// @param username the local part that the new account must have; null for any
  /// @return the lines to print: the URI, and the page if there is one
  /// @throws IllegalArgumentException if the host takes no invitations, or has too many
  public static String invite(
      KeyValueStore store,
      ServerConfig config,
      Jid host,
      @Nullable String username,
      InstantSource clock,
      IdSource ids) {
    if (!permitsRegistration(config)) {
      throw new IllegalArgumentException(
          "accounts cannot be created by invitation at "
              + host
              + "; set services.invitations.accounts to \"admins\" or \"everyone\"");
    }
    Outcome outcome =
        new StoredInvitations(store, host, clock, ids)
            .issue(
                host,
                new Terms(Kind.ACCOUNT, true, false, username),
                config.services().invitations().time(),
                StoredInvitations.MOST_OF_HOST);
    return switch (outcome) {
      case Outcome.TooMany() ->
          throw new IllegalArgumentException("too many invitations have not been used");
      case Outcome.NameReserved() ->
          throw new IllegalArgumentException(username + " is reserved by another invitation");
      case Outcome.Issued issued -> {
        String page = InvitationLink.landingUrl(issued, config);
        yield InvitationLink.uri(issued) + "\n" + (page == null ? "" : page + "\n");
      }
    };
  }
}
