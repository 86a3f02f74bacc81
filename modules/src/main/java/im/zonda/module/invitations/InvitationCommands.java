package im.zonda.module.invitations;

import im.zonda.account.AccountRegistration;
import im.zonda.config.Services.Invitations;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ModuleContext;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.module.invitations.Invitation.Kind;
import im.zonda.module.invitations.Invitation.Terms;
import im.zonda.module.invitations.StoredInvitations.Outcome;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The commands that make invitations (XEP-0401, sections 4.1 and 4.4).
///
/// @param stored the invitations
/// @param isAdmin whether an address is an administrator's; may block
record InvitationCommands(ModuleContext context, StoredInvitations stored, Predicate<Jid> isAdmin) {
  private static final Logger LOG = LoggerFactory.getLogger(InvitationCommands.class);
  private static final String USERNAME = "username";
  private static final String SUBSCRIPTION = "roster-subscription";
  private static final String RESULT = "urn:xmpp:invite#invitation";

  /// Whether a requester may invite contacts: only an account of the host, as its home answers the
  /// request that the link leads to.
  boolean mayInviteContacts(Jid from) {
    return isLocal(from) && isOneOf(settings().contacts(), from);
  }

  /// Whether a requester may invite someone to create an account.
  boolean mayInviteAccounts(Jid from) {
    return isOneOf(settings().accounts(), from);
  }

  private boolean isOneOf(Inviters inviters, Jid from) {
    return switch (inviters) {
      case NOBODY -> false;
      case ADMINS -> isAdmin.test(from);
      case EVERYONE -> isLocal(from) || isAdmin.test(from);
    };
  }

  private boolean isLocal(Jid from) {
    return from.local() != null && from.domain().equals(context.domain().domain());
  }

  private Invitations settings() {
    return context.config().services().invitations();
  }

  /// Runs `urn:xmpp:invite#invite`, which completes at once.
  void inviteContact(CommandStage stage) {
    issue(stage, new Terms(Kind.CONTACT, mayInviteAccounts(stage.from()), true, null));
  }

  /// Runs `urn:xmpp:invite#create-account`, which asks for the username. The new account and an
  /// account that invites it become contacts unless the form says otherwise: who was invited should
  /// see someone.
  void inviteAccount(CommandStage stage) {
    DataForm form = stage.form();
    if (form == null) {
      stage.ask(form(isLocal(stage.from())));
      return;
    }
    DataForm.Field field = form.field(USERNAME);
    String value = field == null ? null : field.value();
    Jid account = null;
    if (value != null && !value.isBlank()) {
      account = account(value.strip());
      if (account == null) {
        stage.fail(value + " is not a valid username.");
        return;
      }
      AccountRegistration accounts = context.port(AccountRegistration.class);
      if (accounts.isAdministrator(account) || accounts.created(account) != null) {
        stage.fail(account + " exists already, or is reserved.");
        return;
      }
    }
    DataForm.Field subscription = form.field(SUBSCRIPTION);
    boolean subscribes =
        isLocal(stage.from())
            && (subscription == null || !Boolean.FALSE.equals(subscription.bool()));
    issue(
        stage, new Terms(Kind.ACCOUNT, true, subscribes, account == null ? null : account.local()));
  }

  /// The form of the text, which has no FORM_TYPE.
  private static DataForm form(boolean subscribable) {
    DataForm.Builder form =
        DataForm.builder("form")
            .title("Invite someone to create an account")
            .instructions("Leave the username empty to let the new user choose one.")
            .text(USERNAME, "Username", null);
    if (subscribable) {
      form.field(SUBSCRIPTION, "boolean", "Roster subscription", List.of("true"), Map.of());
    }
    return form.build();
  }

  private @Nullable Jid account(String username) {
    try {
      return Jid.of(username, context.domain().domain(), null);
    } catch (JidFormatException e) {
      return null;
    }
  }

  private void issue(CommandStage stage, Terms terms) {
    Jid owner = isLocal(stage.from()) ? stage.from().bare() : context.domain();
    int most =
        owner.local() == null
            ? StoredInvitations.MOST_OF_HOST
            : context.config().limits().invitations();
    switch (stored.issue(owner, terms, settings().time(), most)) {
      case Outcome.TooMany() ->
          stage.fail("Too many invitations have not been used. Try again when some have expired.");
      case Outcome.NameReserved() ->
          stage.fail(terms.username() + " is reserved by another invitation.");
      case Outcome.Issued issued -> {
        LOG.atInfo()
            .addKeyValue("by", stage.from())
            .addKeyValue("kind", terms.kind())
            .log("invitation_issued");
        stage.complete(result(issued).toElement());
      }
    }
  }

  private DataForm result(Outcome.Issued issued) {
    DataForm.Builder form = DataForm.builder("result", RESULT);
    add(form, "uri", "An XMPP URI representing the invitation link", InvitationLink.uri(issued));
    String page = InvitationLink.landingUrl(issued, context.config());
    if (page != null) {
      add(form, "landing-url", "An HTTPS URL corresponding to the same invitation", page);
    }
    add(
        form,
        "expire",
        "DateTime when the invitation link will expire",
        DateTimeFormatter.ISO_INSTANT.format(
            issued.invitation().expiry().truncatedTo(ChronoUnit.SECONDS)));
    return form.build();
  }

  private static void add(DataForm.Builder form, String name, String label, String value) {
    form.field(name, "text-single", label, List.of(value), Map.of());
  }
}
