package im.zonda.module.registration;

import im.zonda.account.AccountRegistration;
import im.zonda.account.AccountRegistration.Result;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.UnauthenticatedHandler.Client;
import im.zonda.module.invitations.Invitation;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Creates accounts for clients that have not authenticated (XEP-0077, section 3.1).
final class AccountCreation {
  private static final Logger log = LoggerFactory.getLogger(AccountCreation.class);

  /// An address may try [AddressBudget#ATTEMPTS] times as many names in an hour by invitation: each
  /// attempt reveals whether a name is taken, and derives keys.
  private static final int INVITED_ATTEMPTS = 10;

  private final Jid host;
  private final AccountRegistration accounts;
  private final InvitationModule invitations;
  private final boolean open;
  private final AddressBudget budget;
  private final AddressBudget invitedBudget;
  private final @Nullable Challenges challenges;

  AccountCreation(ModuleContext context, InvitationModule invitations) {
    host = context.domain();
    open = context.config().registration().enabled();
    accounts = context.port(AccountRegistration.class);
    this.invitations = invitations;
    budget =
        new AddressBudget(context.config().registration().perAddressPerHour(), context.clock());
    invitedBudget = new AddressBudget(INVITED_ATTEMPTS, context.clock());
    challenges = Challenges.of(context);
  }

  /// Answers with the fields that are required, and with a form for the same. If a question has to
  /// be answered, there is only the form: a client that knows no forms cannot register.
  IqReply describe(Iq iq, Element query, Client client) {
    if (!isForHost(iq)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Invitation invitation = PreAuthentication.invitationOf(client, host);
    if (!open && invitation == null) {
      return onlyInvited();
    }
    String username = invitation == null ? null : invitation.username();
    String instructions =
        username == null ? "Choose a username and a password." : "Choose a password.";
    Element.Builder answer = Element.builder(RegistrationModule.QUERY);
    if (challenges != null && invitation == null) {
      String all = "Choose a username and a password, and answer the question.";
      return IqReply.result(
          answer
              .child("instructions", all)
              .child(RegistrationForm.toFillIn(null, all, challenges.ask(iq, client)))
              .build());
    }
    return IqReply.result(
        answer
            .child("instructions", instructions)
            .child("username", username == null ? "" : username)
            .child(Element.of(RegistrationModule.NAMESPACE, "password"))
            .child(RegistrationForm.toFillIn(username, instructions, null))
            .build());
  }

  /// Creates an account.
  IqReply create(Iq iq, Element query, Client client) {
    if (!isForHost(iq)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (query.child("remove") != null) {
      return IqReply.refuse(ErrorCondition.UNEXPECTED_REQUEST);
    }
    Invitation invitation = PreAuthentication.invitationOf(client, host);
    if (!open && invitation == null) {
      return onlyInvited();
    }
    RegistrationForm form = RegistrationForm.of(query);
    if (form == null) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "Send either the completed form or the fields.");
    }
    IqReply wrong =
        challenges == null || invitation != null ? null : challenges.judge(form, client);
    return wrong == null ? create(form.username(), form.password(), invitation, client) : wrong;
  }

  /// Creates an account for someone who is permitted to: it is by invitation, or anyone may and the
  /// question has been answered.
  IqReply create(
      @Nullable String username,
      @Nullable String password,
      @Nullable Invitation invitation,
      Client client) {
    if (username == null || password == null || password.isEmpty()) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, "Username and password are required.");
    }
    Jid account = parseUsername(username);
    if (account == null) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, "The username is not valid.");
    }
    return invitation == null
        ? createOpenly(account, password, client)
        : createInvited(account, password, invitation, client);
  }

  /// Whether anyone may create an account.
  boolean isOpen() {
    return open;
  }

  /// The question for those without an invitation, and the judge of its answers; null if there is
  /// none.
  @Nullable Challenges challenges() {
    return challenges;
  }

  private static IqReply onlyInvited() {
    return IqReply.refuse(
        ErrorCondition.NOT_ALLOWED, "Accounts are created by invitation only on this server.");
  }

  private IqReply createOpenly(Jid account, String password, Client client) {
    InetAddress address = client.address();
    if (!budget.take(address)) {
      return tooMany(address);
    }
    boolean created = false;
    try {
      Result result =
          isReserved(account, null)
              ? new Result.AddressTaken()
              : accounts.create(account, password);
      created = result instanceof Result.Done;
      if (!created) {
        return refusal(result);
      }
    } finally {
      if (!created) {
        budget.giveBack(address);
      }
    }
    client.forget(Challenge.class);
    log(account, address).log("account_registered");
    return IqReply.empty();
  }

  /// The account is created and the invitation used at once, or neither. An invitation does not
  /// count as one of the accounts of its address: many who were invited may share one.
  private IqReply createInvited(
      Jid account, String password, Invitation invitation, Client client) {
    InetAddress address = client.address();
    if (invitation.username() != null && !invitation.username().equals(account.local())) {
      return IqReply.refuse(
          ErrorCondition.NOT_ACCEPTABLE,
          "The invitation is for the username " + invitation.username() + ".");
    }
    boolean permitted = invitedBudget.take(address);
    invitedBudget.giveBack(address);
    if (!permitted) {
      return tooMany(address);
    }
    Result result =
        isReserved(account, invitation)
            ? new Result.AddressTaken()
            : accounts.create(account, password, invitation.key());
    if (result instanceof Result.NoPermission) {
      client.forget(Invitation.class);
    }
    if (!(result instanceof Result.Done)) {
      return refusal(result);
    }
    client.forget(Invitation.class);
    log(account, address).addKeyValue("by", invitation.owner()).log("account_registered");
    invitations.registered(invitation, account);
    return IqReply.empty();
  }

  /// Whether the address is an administrator's, or is reserved by another invitation.
  private boolean isReserved(Jid account, @Nullable Invitation own) {
    return accounts.isAdministrator(account) || invitations.isReserved(account, own);
  }

  private static LoggingEventBuilder log(Jid account, InetAddress address) {
    return log.atInfo()
        .addKeyValue("jid", account)
        .addKeyValue("address", address.getHostAddress());
  }

  private static IqReply tooMany(InetAddress address) {
    log.atInfo().addKeyValue("address", address.getHostAddress()).log("registration_refused");
    return IqReply.refuse(
        ErrorCondition.RESOURCE_CONSTRAINT,
        "Too many accounts have been created from your address. Try again later.");
  }

  private static IqReply refusal(Result result) {
    return switch (result) {
      case Result.InvalidPassword(var _, String reason) ->
          IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, reason);
      case Result.NoPermission _ ->
          IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND, "The provided token is invalid or expired");
      case Result.AddressTaken _, Result.NoAccount _, Result.Done _ ->
          IqReply.refuse(ErrorCondition.CONFLICT);
    };
  }

  private boolean isForHost(Iq iq) {
    return iq.to() == null || host.equals(iq.to());
  }

  private @Nullable Jid parseUsername(String username) {
    if (username.isEmpty()) {
      return null;
    }
    try {
      return Jid.of(username, host.domain(), null);
    } catch (JidFormatException e) {
      return null;
    }
  }
}
