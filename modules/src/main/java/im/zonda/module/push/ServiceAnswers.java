package im.zonda.module.push;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.ModuleContext;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handles stanzas of push services: answers to notifications (XEP-0357, section 7.1), and the end
/// of their service (section 8). Filters at the homes; none blocks.
///
/// An answer counts only with the identifier of the request, which cannot be guessed, and from the
/// service itself.
final class ServiceAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceAnswers.class);
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");
  private static final QName PUBSUB = new QName("http://jabber.org/protocol/pubsub", "pubsub");

  private final ModuleContext context;
  private final HomeKey<Registrations> key;
  private final Publishing publishing;
  private final RegistrationRequests requests;
  private final PushMeters meters;

  ServiceAnswers(
      ModuleContext context,
      HomeKey<Registrations> key,
      Publishing publishing,
      RegistrationRequests requests,
      PushMeters meters) {
    this.context = context;
    this.key = key;
    this.publishing = publishing;
    this.requests = requests;
    this.meters = meters;
  }

  /// An IQ has arrived.
  Verdict answered(Iq iq, Home home) {
    Jid to = iq.to();
    if (iq.isRequest() || to == null || to.isFull() || !home.exists()) {
      return Verdict.pass();
    }
    PushState state = home.state(key).awaiting(iq.id(), iq.from());
    if (state == null) {
      return Verdict.pass();
    }
    if (!iq.isError()) {
      state.accepted();
      meters.accepted.increment();
      publishing.publish(home.jid(), state);
    } else if (isTemporary(iq.payload(ERROR))) {
      state.failed(context.clock().millis());
      meters.failed.increment();
      record(iq, home, Reason.PUSH_FAILED, String.valueOf(iq.from()));
      publishing.publish(home.jid(), state);
    } else {
      meters.refused.increment();
      String condition = String.valueOf(condition(iq.payload(ERROR)));
      record(iq, home, Reason.PUSH_DISABLED, condition);
      disable(home, state.registration(), condition);
    }
    return Verdict.handled();
  }

  /// Records it for the account: it concerns all messages to it.
  private void record(Iq answer, Home home, Reason reason, String detail) {
    context
        .port(Journal.class)
        .record(
            Journal.Entry.of(Place.PUSH, reason, answer)
                .from(null)
                .to(home.jid())
                .withDetail(detail));
  }

  private void disable(Home home, Registration registration, String reason) {
    LOG.atInfo()
        .addKeyValue("account", home.jid())
        .addKeyValue("service", registration.service())
        .addKeyValue("reason", reason)
        .log("push_disabled");
    requests.disableSoon(home, registration);
  }

  /// Whether the same notification may be accepted later: the error says so by its type, or it is
  /// one that usually passes.
  private static boolean isTemporary(@Nullable Element error) {
    if (error == null) {
      return false;
    }
    ErrorCondition condition = condition(error);
    return "wait".equals(error.attribute("type"))
        || condition == ErrorCondition.INTERNAL_SERVER_ERROR
        || condition == ErrorCondition.REMOTE_SERVER_TIMEOUT
        || condition == ErrorCondition.RESOURCE_CONSTRAINT;
  }

  private static @Nullable ErrorCondition condition(@Nullable Element error) {
    if (error == null) {
      return null;
    }
    for (Element child : error.children()) {
      ErrorCondition condition =
          child.name().namespace().equals(Namespaces.STANZA_ERRORS)
              ? ErrorCondition.ofElementName(child.name().name())
              : null;
      if (condition != null) {
        return condition;
      }
    }
    return null;
  }

  /// A message has arrived. One from a push service that takes the account's affiliation away
  /// disables the registration and is not for the clients.
  Verdict announced(Message message, Home home) {
    Jid from = message.from();
    if (from == null || !message.has(PUBSUB) || message.isError() || !home.exists()) {
      return Verdict.pass();
    }
    Element pubsub = message.payload(PUBSUB);
    String node = pubsub == null ? null : pubsub.attribute("node");
    if (pubsub == null || node == null || !losesAffiliation(pubsub, home.jid())) {
      return Verdict.pass();
    }
    PushState state = home.state(key).get(Registration.key(from, node));
    if (state == null) {
      return Verdict.pass();
    }
    disable(home, state.registration(), "affiliation");
    return Verdict.handled();
  }

  private static boolean losesAffiliation(Element pubsub, Jid account) {
    for (Element child : pubsub.children()) {
      if (child.is(PUBSUB.namespace(), "affiliation")
          && "none".equals(child.attribute("affiliation"))
          && account.toString().equals(child.attribute("jid"))) {
        return true;
      }
    }
    return false;
  }
}
