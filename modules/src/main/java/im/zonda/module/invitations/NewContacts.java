package im.zonda.module.invitations;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.presence.PresenceModule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes an inviter and the account that was registered each other's contacts, at their homes, on
/// whatever nodes of a cluster these are: the host sends each a request. No client can send such a
/// request, as its `from` is the host's domain.
///
/// @param presence changes the rosters
record NewContacts(ModuleContext context, PresenceModule presence) {
  private static final Logger LOG = LoggerFactory.getLogger(NewContacts.class);
  private static final QName CONTACT = new QName("urn:zonda:invitations:0", "contact");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  void install() {
    context.onIq(Iq.Type.SET, CONTACT, Addressee.OTHER_ACCOUNT, this::answer);
  }

  /// Makes two accounts of the host contacts with mutual subscriptions, the inviter first: if its
  /// roster is full, neither roster changes. Returns at once.
  void connect(Jid inviter, Jid invitee) {
    ask(inviter, invitee, () -> ask(invitee, inviter, () -> {}));
  }

  private void ask(Jid account, Jid contact, Runnable then) {
    Element payload = Element.builder(CONTACT).attribute("jid", contact.toString()).build();
    Consumer<Iq> answered =
        answer -> {
          if (answer.type() == Iq.Type.RESULT) {
            then.run();
          } else {
            LOG.atWarn()
                .addKeyValue("jid", account)
                .addKeyValue("contact", contact)
                .log("invited_contact_not_added");
          }
        };
    context
        .port(ExternalComponents.class)
        .request(
            Iq.of(Iq.Type.SET, context.domain(), account, context.ids().next(), payload),
            account,
            PATIENCE,
            answered);
  }

  private IqReply answer(IqRequest request) {
    String contact = request.payload().attribute("jid");
    if (!context.domain().equals(request.iq().from()) || contact == null) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (!request.home().exists()) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    try {
      return presence.addContact(request.home(), Jid.stored(contact))
          ? IqReply.empty()
          : IqReply.refuse(ErrorCondition.RESOURCE_CONSTRAINT);
    } catch (JidFormatException e) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
  }
}
