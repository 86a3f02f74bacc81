package im.zonda.module.registration;

import im.zonda.account.AccountRegistration;
import im.zonda.account.AccountRegistration.Result;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Changes the password of an account and removes it (XEP-0077, sections 3.2 and 3.3). The account
/// is always that of the requesting session, whatever the request names.
final class AccountRequests {
  private static final Logger log = LoggerFactory.getLogger(AccountRequests.class);

  private final ModuleContext context;
  private final AccountRegistration accounts;

  AccountRequests(ModuleContext context) {
    this.context = context;
    accounts = context.port(AccountRegistration.class);
  }

  /// Answers that the account is registered, with its username.
  IqReply describe(IqRequest request) {
    Session session = ownSession(request);
    if (session == null) {
      return IqReply.refuse(ErrorCondition.REGISTRATION_REQUIRED);
    }
    String local = session.jid().local();
    return IqReply.result(
        Element.builder(RegistrationModule.QUERY)
            .child(Element.of(RegistrationModule.NAMESPACE, "registered"))
            .child("username", local == null ? "" : local)
            .child(Element.of(RegistrationModule.NAMESPACE, "password"))
            .build());
  }

  /// Changes the password or removes the account.
  IqReply change(IqRequest request) {
    Session session = ownSession(request);
    if (session == null) {
      return IqReply.refuse(ErrorCondition.REGISTRATION_REQUIRED);
    }
    Element query = request.payload();
    if (query.child("remove") == null) {
      return changePassword(session.jid().bare(), query);
    }
    return query.children().size() == 1
        ? removeAccount(request, session)
        : IqReply.refuse(ErrorCondition.BAD_REQUEST);
  }

  private IqReply changePassword(Jid account, Element query) {
    Element username = query.child("username");
    Element password = query.child("password");
    if (username == null || password == null || password.text().isEmpty()) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "Username and new password are required.");
    }
    if (!isUsernameOf(account, username.text())) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED);
    }
    Result result = accounts.changePassword(account, password.text());
    if (result instanceof Result.InvalidPassword(var _, String reason)) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, reason);
    }
    if (result instanceof Result.KeptElsewhere) {
      return IqReply.refuse(
          ErrorCondition.NOT_ALLOWED, "The password is changed where the account is kept.");
    }
    if (!(result instanceof Result.Done)) {
      return IqReply.refuse(ErrorCondition.REGISTRATION_REQUIRED);
    }
    log.atInfo().addKeyValue("jid", account).log("password_changed");
    return IqReply.empty();
  }

  /// Removes the account with all its data.
  private IqReply removeAccount(IqRequest request, Session session) {
    Jid account = session.jid().bare();
    if (!(accounts.remove(account) instanceof Result.Done)) {
      return IqReply.refuse(ErrorCondition.REGISTRATION_REQUIRED);
    }
    log.atInfo().addKeyValue("jid", account).log("account_removed");
    // The answer must be sent before the sessions end.
    session.send(Iq.result(request.iq(), null));
    context.forget(account);
    return IqReply.later();
  }

  private boolean isUsernameOf(Jid account, String username) {
    try {
      return account.equals(Jid.of(username, context.domain().domain(), null));
    } catch (JidFormatException e) {
      return false;
    }
  }

  /// The requesting session if its account is one of this host, otherwise null.
  private @Nullable Session ownSession(IqRequest request) {
    Session session = request.session();
    return session != null && session.jid().domain().equals(context.domain().domain())
        ? session
        : null;
  }
}
