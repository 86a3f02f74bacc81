package im.zonda.module.registration;

import im.zonda.account.AccountRegistration;
import im.zonda.account.GuestAddress;
import im.zonda.account.PasswordProblem;
import im.zonda.directory.SignUp.NameCheck;
import im.zonda.directory.SignUp.Reason;
import im.zonda.directory.SignUp.Result;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.UnauthenticatedHandler.Client;
import im.zonda.module.invitations.Invitation;
import im.zonda.module.invitations.InvitationModule;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Creates accounts for clients that have not authenticated (XEP-0077, section 3.1), and for people
/// who fill in a form of a page.
final class AccountCreation {
  private static final Logger log = LoggerFactory.getLogger(AccountCreation.class);

  /// An address may try [AddressBudget#ATTEMPTS] times as many names in an hour by invitation: each
  /// attempt reveals whether a name is taken, and derives keys.
  private static final int INVITED_ATTEMPTS = 10;

  /// Names that an address may ask for in an hour, before any form is sent.
  static final int NAME_CHECKS = 100;

  private final Jid host;
  private final AccountRegistration accounts;
  private final InvitationModule invitations;
  private final boolean open;
  private final AddressBudget budget;
  private final AddressBudget invitedBudget;
  private final AddressBudget nameBudget;
  private final @Nullable Challenges challenges;

  AccountCreation(ModuleContext context, InvitationModule invitations) {
    host = context.domain();
    open = context.config().registration().enabled();
    accounts = context.port(AccountRegistration.class);
    this.invitations = invitations;
    budget =
        new AddressBudget(context.config().registration().perAddressPerHour(), context.clock());
    invitedBudget = new AddressBudget(INVITED_ATTEMPTS, context.clock());
    nameBudget = new AddressBudget(NAME_CHECKS, context.clock());
    challenges = Challenges.of(context);
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

  /// Creates an account for someone who is permitted to: it is by invitation, or anyone may and the
  /// question has been answered.
  Result create(String username, String password, @Nullable Invitation invitation, Client client) {
    Username name = Username.of(username, host);
    return switch (name) {
      case Username.Unfit(var reason) -> new Result.Refused(reason);
      case Username.Valid _ when password.isEmpty() -> new Result.Refused(Reason.PASSWORD_EMPTY);
      case Username.Valid(var account) when invitation == null ->
          createOpenly(account, password, client);
      case Username.Valid(var account) -> createInvited(account, password, invitation, client);
    };
  }

  private Result createOpenly(Jid account, String password, Client client) {
    InetAddress address = client.address();
    if (!budget.take(address)) {
      return tooMany(address);
    }
    boolean created = false;
    try {
      Reason refused = reserved(account, null);
      if (refused == null) {
        refused = reason(accounts.create(account, password));
      }
      if (refused != null) {
        return new Result.Refused(refused);
      }
      created = true;
    } finally {
      if (!created) {
        budget.giveBack(address);
      }
    }
    client.forget(Challenge.class);
    log(account, address).log("account_registered");
    return new Result.Created(account, null);
  }

  /// The account is created and the invitation used at once, or neither. An invitation does not
  /// count as one of the accounts of its address: many who were invited may share one.
  private Result createInvited(Jid account, String password, Invitation invitation, Client client) {
    InetAddress address = client.address();
    if (isForAnother(account, invitation)) {
      return new Result.Refused(Reason.NAME_OTHER);
    }
    boolean permitted = invitedBudget.take(address);
    invitedBudget.giveBack(address);
    if (!permitted) {
      return tooMany(address);
    }
    Reason refused = reserved(account, invitation);
    if (refused == null) {
      refused = reason(accounts.create(account, password, invitation.key()));
    }
    if (refused == null || refused == Reason.NO_INVITATION) {
      client.forget(Invitation.class);
    }
    if (refused != null) {
      return new Result.Refused(refused);
    }
    log(account, address).addKeyValue("by", invitation.owner()).log("account_registered");
    invitations.registered(invitation, account);
    return new Result.Created(account, invitation.contact());
  }

  /// Says whether a name is free, to those who could create the account now and would learn it by
  /// that: anyone if accounts are created openly, otherwise those who have an invitation. To others
  /// a request reveals no more than the rules for names. Where a question has to be answered first,
  /// no one learns from this who has an account.
  ///
  /// An address may ask for [#NAME_CHECKS] names in an hour.
  ///
  /// @param token of an invitation, or null
  NameCheck checkName(@Nullable String token, String username, InetAddress address) {
    return switch (Username.of(username, host)) {
      case Username.Unfit(var reason) -> new NameCheck.Unfit(reason);
      case Username.Valid(var account) -> checkName(token, account, address);
    };
  }

  private NameCheck checkName(@Nullable String token, Jid account, InetAddress address) {
    if ((token == null && (!open || challenges != null)) || !nameBudget.take(address)) {
      return new NameCheck.Unknown();
    }
    Invitation invitation = token == null ? null : invitations.findForRegistration(token);
    if (token != null && invitation == null) {
      return new NameCheck.Unfit(Reason.NO_INVITATION);
    }
    if (invitation != null && isForAnother(account, invitation)) {
      return new NameCheck.Unfit(Reason.NAME_OTHER);
    }
    Reason reserved = reserved(account, invitation);
    if (reserved != null) {
      return new NameCheck.Unfit(reserved);
    }
    return GuestAddress.isGuest(account) || accounts.created(account) != null
        ? new NameCheck.Unfit(Reason.NAME_TAKEN)
        : new NameCheck.Free();
  }

  private static boolean isForAnother(Jid account, Invitation invitation) {
    return invitation.username() != null && !invitation.username().equals(account.local());
  }

  /// Why nobody may have a name although there is no such account; null if someone may. Which
  /// addresses are administrators' is not said.
  private @Nullable Reason reserved(Jid account, @Nullable Invitation own) {
    if (accounts.isAdministrator(account)) {
      return Reason.NAME_TAKEN;
    }
    return invitations.isReserved(account, own) ? Reason.NAME_RESERVED : null;
  }

  private static LoggingEventBuilder log(Jid account, InetAddress address) {
    return log.atInfo()
        .addKeyValue("jid", account)
        .addKeyValue("address", address.getHostAddress());
  }

  private static Result tooMany(InetAddress address) {
    log.atInfo().addKeyValue("address", address.getHostAddress()).log("registration_refused");
    return new Result.Refused(Reason.TOO_MANY);
  }

  /// Why an account was not created; null if it was.
  private static @Nullable Reason reason(AccountRegistration.Result result) {
    return switch (result) {
      case AccountRegistration.Result.Done _ -> null;
      case AccountRegistration.Result.InvalidPassword(var problem, var _) -> reason(problem);
      case AccountRegistration.Result.NoPermission _ -> Reason.NO_INVITATION;
      case AccountRegistration.Result.AddressTaken _,
          AccountRegistration.Result.NoAccount _,
          AccountRegistration.Result.KeptElsewhere _ ->
          Reason.NAME_TAKEN;
    };
  }

  private static Reason reason(PasswordProblem problem) {
    return switch (problem) {
      case EMPTY -> Reason.PASSWORD_EMPTY;
      case TOO_LONG -> Reason.PASSWORD_TOO_LONG;
      case CHARACTER -> Reason.PASSWORD_CHARACTER;
      case TOO_SHORT -> Reason.PASSWORD_TOO_SHORT;
      case COMMON -> Reason.PASSWORD_COMMON;
      case NAME -> Reason.PASSWORD_NAME;
    };
  }
}
