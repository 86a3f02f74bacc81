package im.zonda.module.registration;

import im.zonda.account.AccountRegistration;
import im.zonda.account.AccountRegistration.Result;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates accounts for clients that have not authenticated (XEP-0077, section 3.1).
final class AccountCreation {
  private static final Logger log = LoggerFactory.getLogger(AccountCreation.class);
  private static final Element FORM =
      Element.builder(RegistrationModule.QUERY)
          .child("instructions", "Choose a username and a password.")
          .child(Element.of(RegistrationModule.NAMESPACE, "username"))
          .child(Element.of(RegistrationModule.NAMESPACE, "password"))
          .build();

  private final Jid host;
  private final AccountRegistration accounts;
  private final AddressBudget budget;

  AccountCreation(ModuleContext context) {
    host = context.domain();
    accounts = context.port(AccountRegistration.class);
    budget =
        new AddressBudget(context.config().registration().perAddressPerHour(), context.clock());
  }

  /// Answers with the fields that are required.
  IqReply describe(Iq iq, Element query, InetAddress address) {
    return isForHost(iq)
        ? IqReply.result(FORM)
        : IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
  }

  /// Creates an account.
  IqReply create(Iq iq, Element query, InetAddress address) {
    if (!isForHost(iq)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (query.child("remove") != null) {
      return IqReply.refuse(ErrorCondition.UNEXPECTED_REQUEST);
    }
    Element username = query.child("username");
    Element password = query.child("password");
    if (username == null || password == null || password.text().isEmpty()) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, "Username and password are required.");
    }
    Jid account = parseUsername(username.text());
    if (account == null) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, "The username is not valid.");
    }
    if (!budget.take(address)) {
      log.atInfo().addKeyValue("address", address.getHostAddress()).log("registration_refused");
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT,
          "Too many accounts have been created from your address. Try again later.");
    }
    boolean created = false;
    try {
      Result result = accounts.create(account, password.text());
      created = result instanceof Result.Done;
      if (!created) {
        return refusal(result);
      }
    } finally {
      if (!created) {
        budget.giveBack(address);
      }
    }
    log.atInfo()
        .addKeyValue("jid", account)
        .addKeyValue("address", address.getHostAddress())
        .log("account_registered");
    return IqReply.empty();
  }

  private static IqReply refusal(Result result) {
    return result instanceof Result.InvalidPassword(String reason)
        ? IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, reason)
        : IqReply.refuse(ErrorCondition.CONFLICT);
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
