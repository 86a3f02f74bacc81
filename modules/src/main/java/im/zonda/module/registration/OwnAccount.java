package im.zonda.module.registration;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Presence;
import im.zonda.store.PasswordException;
import im.zonda.store.Passwords;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.xml.Element;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What owners do with their account (XEP-0077, sections 3.2 and 3.3). The account is always that
/// of the session that asks, whatever the request names.
final class OwnAccount {
  private static final Logger log = LoggerFactory.getLogger(OwnAccount.class);

  private final ModuleContext context;
  private final RandomGenerator random;

  OwnAccount(ModuleContext context, RandomGenerator random) {
    this.context = context;
    this.random = random;
  }

  /// Says that the account is registered, and its name.
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

  /// Changes the password, or removes the account.
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
        ? remove(request, session)
        : IqReply.refuse(ErrorCondition.BAD_REQUEST);
  }

  private IqReply changePassword(Jid account, Element query) {
    Element username = query.child("username");
    Element password = query.child("password");
    if (username == null || password == null || password.text().isEmpty()) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "the username and the new password are needed");
    }
    if (!isName(account, username.text())) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED);
    }
    List<ScramKeys> keys;
    try {
      keys = Passwords.derive(password.text(), random);
    } catch (PasswordException e) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, NewAccounts.BAD_PASSWORD);
    }
    if (!context.stores().accounts().changeKeys(account, keys)) {
      return IqReply.refuse(ErrorCondition.REGISTRATION_REQUIRED);
    }
    log.atInfo().addKeyValue("jid", account).log("password_changed");
    return IqReply.empty();
  }

  /// Removes the account with all that is kept of it. Contacts are told that the subscriptions have
  /// ended, so that whoever registers the name next does not inherit them.
  private IqReply remove(IqRequest request, Session session) {
    Jid account = session.jid().bare();
    List<RosterItem> contacts = context.stores().rosters().load(account).items();
    if (!context.stores().accounts().remove(account)) {
      return IqReply.refuse(ErrorCondition.REGISTRATION_REQUIRED);
    }
    log.atInfo().addKeyValue("jid", account).log("account_removed");
    // The answer must leave before the sessions end.
    session.send(Iq.result(request.iq(), null));
    for (RosterItem contact : contacts) {
      if (contact.subscription().from() || contact.request() != null) {
        tell(account, contact.jid(), Presence.Type.UNSUBSCRIBED);
      }
      if (contact.subscription().to() || contact.ask()) {
        tell(account, contact.jid(), Presence.Type.UNSUBSCRIBE);
      }
    }
    context.forget(account);
    return IqReply.later();
  }

  private void tell(Jid account, Jid contact, Presence.Type type) {
    context.send(Presence.of(type, account, contact, context.ids().next(), List.of()));
  }

  private boolean isName(Jid account, String username) {
    try {
      return account.equals(Jid.of(username, context.domain().domain(), null));
    } catch (JidFormatException e) {
      return false;
    }
  }

  /// The session that asks, if it is one of an account of this host; else null.
  private @Nullable Session ownSession(IqRequest request) {
    Session session = request.session();
    return session != null && session.jid().domain().equals(context.domain().domain())
        ? session
        : null;
  }
}
