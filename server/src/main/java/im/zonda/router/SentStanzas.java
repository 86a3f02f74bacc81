package im.zonda.router;

import im.zonda.hook.HookPoint;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.IqHandler;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What happens to a client's stanza at the sender's own home (RFC 6120, section 10; RFC 6121,
/// section 8.1 to 8.4).
final class SentStanzas {
  private final StanzaRouter router;
  private final MessageDelivery delivery;
  private final CatchUp catchUp;
  private final Filters filters;

  SentStanzas(StanzaRouter router, MessageDelivery delivery, CatchUp catchUp) {
    this.router = router;
    this.delivery = delivery;
    this.catchUp = catchUp;
    this.filters = new Filters(router);
  }

  /// Whether taking the stanza may block; `ours` knows the domains that are answered for here. May
  /// block: requests that modules answer here, and presence that changes a roster.
  static boolean mayBlock(Stanza stanza, Jid account, Predicate<Jid> ours) {
    return switch (stanza) {
      case Message message -> false;
      case Presence presence -> Arrivals.changesRoster(presence);
      case Iq iq -> {
        Jid to = iq.to();
        yield iq.isRequest()
            && (to == null || to.equals(account) || (to.isDomain() && ours.test(to)));
      }
    };
  }

  void take(AccountHome home, LocalSession session, Stanza stanza, Origin origin) {
    if (session.isFresh() && !becomesAvailable(stanza)) {
      catchUp.begun(home, session);
    }
    switch (stanza) {
      case Message message -> {
        router.stats().messages.increment();
        message(home, session, message, origin);
      }
      case Presence presence -> {
        router.stats().presence.increment();
        presence(home, session, presence, origin);
      }
      case Iq iq -> {
        router.stats().iqs.increment();
        iq(home, session, iq, origin);
      }
    }
  }

  private static boolean becomesAvailable(Stanza stanza) {
    return stanza instanceof Presence presence
        && presence.type() == Presence.Type.AVAILABLE
        && presence.to() == null
        && presence.priority() >= 0;
  }

  private void message(AccountHome home, LocalSession session, Message sent, Origin origin) {
    Message message = sent;
    if (message.to() == null) {
      // A message to nobody is one to oneself (RFC 6120, section 10.3.1).
      message = message.withAddresses(session.jid(), home.jid());
    }
    message = filters.pass(message, HookPoint.SENT_BY_CLIENT, home, session);
    if (message == null) {
      return;
    }
    if (delivery.sent(home, message, session, origin)) {
      router.route(message, origin);
    } else {
      router.refuse(message, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
    }
  }

  private void presence(AccountHome home, LocalSession session, Presence sent, Origin origin) {
    Presence presence = filters.pass(sent, HookPoint.SENT_BY_CLIENT, home, session);
    if (session.isFresh() && session.priority() >= 0) {
      // It reads all that waits, and with it what was left for it.
      session.begun();
    }
    catchUp.begin(home, session);
    if (session.isFresh()) {
      catchUp.begun(home, session);
    }
    if (presence != null && presence.to() != null) {
      router.route(presence, origin);
    }
  }

  private void iq(AccountHome home, LocalSession session, Iq iq, Origin origin) {
    Jid to = iq.to();
    if (to == null || to.equals(home.jid())) {
      answer(router, home.dispatch(), iq, Addressee.OWN_ACCOUNT, home, session);
      return;
    }
    Dispatch host = to.isDomain() ? router.host(to) : null;
    if (host != null) {
      answer(router, host, iq, Addressee.SERVER, home, session);
    } else {
      Iq passing = filters.pass(iq, HookPoint.SENT_BY_CLIENT, home, session);
      if (passing != null) {
        router.route(passing, origin);
      }
    }
  }

  /// Has the module in charge answer a request; results and errors to the server end here.
  static void answer(
      StanzaRouter router,
      Dispatch dispatch,
      Iq iq,
      Addressee addressee,
      AccountHome home,
      @Nullable LocalSession session) {
    QName name = iq.payloadName();
    Element payload = iq.isRequest() ? iq.payload() : null;
    if (name == null || payload == null) {
      return;
    }
    IqHandler handler = dispatch.iqHandler(iq.type(), name, addressee);
    if (handler == null) {
      router.refuse(iq, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      return;
    }
    switch (handler.handle(new IqRequest(iq, payload, home, session))) {
      case IqReply.Result(Element result) -> reply(router, session, Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> reply(router, session, Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }

  private static void reply(StanzaRouter router, @Nullable LocalSession session, Iq answer) {
    if (session != null) {
      session.send(answer);
    } else {
      router.route(answer);
    }
  }
}
