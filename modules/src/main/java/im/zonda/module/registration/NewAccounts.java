package im.zonda.module.registration;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.PasswordException;
import im.zonda.store.Passwords;
import im.zonda.store.ScramKeys;
import im.zonda.xml.Element;
import java.net.InetAddress;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accounts that strangers make on a stream that has not authenticated (XEP-0077, section 3.1).
final class NewAccounts {
  static final String BAD_PASSWORD =
      "a password has 1 to " + Passwords.MAX_BYTES + " bytes and no control characters";

  private static final Logger log = LoggerFactory.getLogger(NewAccounts.class);
  private static final Element FORM =
      Element.builder(RegistrationModule.QUERY)
          .child("instructions", "Choose a username and a password.")
          .child(Element.of(RegistrationModule.NAMESPACE, "username"))
          .child(Element.of(RegistrationModule.NAMESPACE, "password"))
          .build();

  private final ModuleContext context;
  private final RandomGenerator random;
  private final AddressBudget budget;

  NewAccounts(ModuleContext context, RandomGenerator random) {
    this.context = context;
    this.random = random;
    this.budget =
        new AddressBudget(context.config().registration().perAddressPerHour(), context.clock());
  }

  /// Says what is needed for an account.
  IqReply form(Iq iq, Element query, InetAddress address) {
    return isForHost(iq)
        ? IqReply.result(FORM)
        : IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
  }

  /// Makes an account.
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
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, "a username and a password are needed");
    }
    Jid account = account(username.text());
    if (account == null) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, "this cannot be a username");
    }
    if (!budget.take(address)) {
      log.atInfo().addKeyValue("address", address.getHostAddress()).log("registration_refused");
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, "too many accounts from your address; try later");
    }
    boolean created = false;
    try {
      IqReply refused = create(account, password.text());
      created = refused == null;
      if (refused != null) {
        return refused;
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

  /// Makes the account; what is wrong with it, or null.
  private @Nullable IqReply create(Jid account, String password) {
    AccountStore accounts = context.stores().accounts();
    // Before the keys are derived, which is dear.
    if (accounts.find(account) != null) {
      return IqReply.refuse(ErrorCondition.CONFLICT);
    }
    List<ScramKeys> keys;
    try {
      keys = Passwords.derive(password, random);
    } catch (PasswordException e) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, BAD_PASSWORD);
    }
    List<Jid> existing =
        accounts.create(List.of(new Account(account, keys, context.clock().instant())));
    return existing.isEmpty() ? null : IqReply.refuse(ErrorCondition.CONFLICT);
  }

  private boolean isForHost(Iq iq) {
    return iq.to() == null || context.domain().equals(iq.to());
  }

  private @Nullable Jid account(String username) {
    if (username.isEmpty()) {
      return null;
    }
    try {
      return Jid.of(username, context.domain().domain(), null);
    } catch (JidFormatException e) {
      return null;
    }
  }
}
