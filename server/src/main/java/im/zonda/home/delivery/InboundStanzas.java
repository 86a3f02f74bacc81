package im.zonda.home.delivery;

import im.zonda.home.account.AccountHome;
import im.zonda.home.account.Dispatch;
import im.zonda.home.account.Filters;
import im.zonda.home.account.IqRequests;
import im.zonda.home.session.LocalSession;
import im.zonda.hook.HookPoint;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Addressee;
import im.zonda.module.Envelope;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.trace.Verdict;
import im.zonda.xml.QName;

/// Handles stanzas at the home of the account that they are addressed to (RFC 6121, section 8.5).
/// Messages go on to [MessageDelivery].
public final class InboundStanzas {
  private final ErrorReplies errors;
  private final IqRequests requests;
  private final MessageDelivery delivery;
  private final Filters filters;

  public InboundStanzas(
      ErrorReplies errors, IqRequests requests, MessageDelivery delivery, Filters.Keeper keeper) {
    this.errors = errors;
    this.requests = requests;
    this.delivery = delivery;
    this.filters = Filters.ofArriving(errors, keeper);
  }

  /// Whether [#accept] may block for that stanza at a home of the host.
  public static boolean mayBlock(Dispatch host, Stanza stanza) {
    return switch (stanza) {
      case Message message -> host.messagesMayBlock(HookPoint.ARRIVING);
      case Presence presence ->
          changesRoster(presence) || host.presenceMayBlock(HookPoint.ARRIVING);
      case Iq iq -> {
        Jid to = iq.to();
        yield iq.isRequest() && to != null && to.isBare();
      }
    };
  }

  /// Whether it is presence of the subscription types.
  public static boolean changesRoster(Presence presence) {
    return switch (presence.type()) {
      case SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED -> true;
      case AVAILABLE, UNAVAILABLE, PROBE, ERROR -> false;
    };
  }

  public void accept(AccountHome home, Envelope envelope) {
    Stanza stanza = envelope.stanza();
    Jid author = envelope.author();
    Reason refusal =
        author == null || stanza.isError() ? null : Filters.rejects(home, envelope, author);
    if (refusal != null) {
      StanzaError error = StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE);
      errors.reject(envelope, error, Place.ARRIVING_FILTER, refusal, null);
      return;
    }
    switch (stanza) {
      case Message message -> message(home, message, envelope);
      case Presence presence -> presence(home, presence, envelope);
      case Iq iq -> iq(home, iq, envelope);
    }
  }

  private void message(AccountHome home, Message arrived, Envelope envelope) {
    if (errors.tracing().on()) {
      errors.tracing().step(envelope, Place.HOME, Verdict.RECEIVED, null);
    }
    Message message = filters.pass(arrived, envelope, HookPoint.ARRIVING, home, null);
    if (message != null) {
      filters.note(message, arrived, envelope, Place.ARRIVING_FILTER);
      delivery.deliver(home, envelope.withStanza(message));
    }
  }

  /// Sections 8.5.1 to 8.5.3: presence that reaches no session is ignored.
  private void presence(AccountHome home, Presence arrived, Envelope envelope) {
    Presence presence = filters.pass(arrived, envelope, HookPoint.ARRIVING, home, null);
    if (presence == null) {
      return;
    }
    Jid to = presence.to();
    String resource = to == null ? null : to.resource();
    if (resource != null) {
      LocalSession session = home.session(resource);
      if (session != null && !isForPredecessor(presence, session)) {
        session.send(presence);
      }
      return;
    }
    for (int i = 0; i < home.sessions().size(); i++) {
      LocalSession session = home.sessions().get(i);
      if (session.available()) {
        session.send(presence);
      }
    }
  }

  /// Whether the presence is for a session that has ended and whose resource a new one has. Such is
  /// the answer of a room to the unavailable presence of its former occupant (XEP-0045, section
  /// 7.14): a client that gets it closes the room that it is entering. As long as the new client
  /// has sent nothing, no one has seen presence of its session.
  private static boolean isForPredecessor(Presence presence, LocalSession session) {
    return presence.type() == Presence.Type.UNAVAILABLE && session.awaitsFirstStanza();
  }

  /// Whether only the server itself may send that request to clients.
  private static boolean isReserved(AccountHome home, Iq iq) {
    QName payload = iq.isRequest() ? iq.payloadName() : null;
    return payload != null && home.dispatch().isReserved(iq.type(), payload);
  }

  private void iq(AccountHome home, Iq arrived, Envelope envelope) {
    Iq iq = filters.pass(arrived, envelope, HookPoint.ARRIVING, home, null);
    if (iq == null) {
      return;
    }
    Jid to = iq.to();
    String resource = to == null ? null : to.resource();
    if (resource == null) {
      // Also for an account that does not exist: the module answers as for one that shows nothing.
      Jid from = iq.from();
      boolean own = from != null && from.bare().equals(home.jid());
      Addressee addressee = own ? Addressee.OWN_ACCOUNT : Addressee.OTHER_ACCOUNT;
      requests.answer(home.dispatch(), iq, addressee, home, null);
      return;
    }
    LocalSession session = home.session(resource);
    if (session != null && !isReserved(home, iq)) {
      session.send(iq);
    } else {
      StanzaError error = StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE);
      errors.reject(envelope.withStanza(iq), error, Place.HOME, Reason.NO_SUCH_SESSION, null);
    }
  }
}
