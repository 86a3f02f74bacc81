package im.zonda.home.delivery;

import im.zonda.home.account.AccountHome;
import im.zonda.home.account.Filters;
import im.zonda.home.account.HostAccounts;
import im.zonda.home.account.IqRequests;
import im.zonda.home.service.ServiceDestination;
import im.zonda.home.session.LocalSession;
import im.zonda.hook.HookPoint;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.module.Addressee;
import im.zonda.module.Envelope;
import im.zonda.route.Destination;
import im.zonda.route.RouterStats;
import im.zonda.route.Routes;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;

/// Handles the stanzas of clients at their sender's own home (RFC 6120, section 10; RFC 6121,
/// section 8.1 to 8.4).
public final class OutboundStanzas {
  private final Routes routes;
  private final RouterStats stats;
  private final IqRequests requests;
  private final MessageDelivery delivery;
  private final CatchUp catchUp;
  private final Filters filters;

  public OutboundStanzas(
      Routes routes,
      RouterStats stats,
      IqRequests requests,
      MessageDelivery delivery,
      CatchUp catchUp) {
    this.routes = routes;
    this.stats = stats;
    this.requests = requests;
    this.delivery = delivery;
    this.catchUp = catchUp;
    this.filters = Filters.ofSent(routes.errors(), this::accept);
  }

  /// Whether handling the stanza of a client of `home` may block: requests that modules answer
  /// here, presence that changes a roster, and what passes a filter that may block.
  public boolean mayBlock(AccountHome home, Stanza stanza) {
    return switch (stanza) {
      case Message message -> home.dispatch().messagesMayBlock(HookPoint.SENT_BY_CLIENT);
      case Presence presence ->
          InboundStanzas.changesRoster(presence)
              || home.dispatch().presenceMayBlock(HookPoint.SENT_BY_CLIENT);
      case Iq iq -> {
        Jid to = iq.to();
        yield iq.isRequest() && (to == null || to.equals(home.jid()) || isAnsweredHere(to));
      }
    };
  }

  private boolean isAnsweredHere(Jid to) {
    return to.isDomain()
        && switch (routes.to(to)) {
          case HostAccounts host -> true;
          case ServiceDestination<?> service -> true;
          case Destination other -> false;
        };
  }

  /// Handles a stanza of a client, `from` stamped, at its home.
  public void accept(AccountHome home, LocalSession session, Envelope envelope) {
    Stanza stanza = envelope.stanza();
    if (!home.exists() && !home.dispatch().guests().enabled()) {
      // No module enforces the rules for guests now.
      session.close(StreamErrorCondition.NOT_AUTHORIZED, "guests are no longer allowed");
      return;
    }
    if (session.awaitsFirstStanza() && !becomesAvailable(stanza)) {
      catchUp.firstStanzaSeen(home, session);
    }
    switch (stanza) {
      case Message message -> {
        stats.messages.increment();
        message(home, session, message, envelope);
      }
      case Presence presence -> {
        stats.presence.increment();
        presence(home, session, presence, envelope);
      }
      case Iq iq -> {
        stats.iqs.increment();
        iq(home, session, iq, envelope);
      }
    }
  }

  private static boolean becomesAvailable(Stanza stanza) {
    return stanza instanceof Presence presence
        && presence.type() == Presence.Type.AVAILABLE
        && presence.to() == null
        && presence.priority() >= 0;
  }

  private void message(AccountHome home, LocalSession session, Message sent, Envelope envelope) {
    Message message = sent;
    if (message.to() == null) {
      // A message without an addressee is for the sender's own account (RFC 6120, section 10.3.1).
      message = message.withAddresses(session.jid(), home.jid());
    }
    message = filters.pass(message, envelope, HookPoint.SENT_BY_CLIENT, home, session);
    if (message != null) {
      filters.note(message, sent, envelope.withStanza(message), Place.SENT_FILTER);
      delivery.send(home, message, session, envelope);
    }
  }

  private void presence(AccountHome home, LocalSession session, Presence sent, Envelope envelope) {
    Presence presence = filters.pass(sent, envelope, HookPoint.SENT_BY_CLIENT, home, session);
    if (session.awaitsFirstStanza() && session.priority() >= 0) {
      // It reads all that waits, and with it what was left for it.
      session.firstStanzaSeen();
    }
    catchUp.begin(home, session);
    if (session.awaitsFirstStanza()) {
      catchUp.firstStanzaSeen(home, session);
    }
    if (presence != null && presence.to() != null) {
      routes.route(envelope.withStanza(presence));
    }
  }

  private void iq(AccountHome home, LocalSession session, Iq iq, Envelope envelope) {
    Jid to = iq.to();
    if (to == null || to.equals(home.jid())) {
      requests.answer(home.dispatch(), iq, Addressee.OWN_ACCOUNT, home, session);
      return;
    }
    Destination destination = routes.to(to);
    if (to.isDomain() && destination instanceof HostAccounts host) {
      if (!home.exists() && !host.dispatch().equals(home.dispatch())) {
        // No module of that host enforces this host's rules for guests.
        routes.errors().reject(iq, StanzaError.of(ErrorCondition.FORBIDDEN));
        return;
      }
      requests.answer(host.dispatch(), iq, Addressee.SERVER, home, session);
      return;
    }
    Iq passing = filters.pass(iq, envelope, HookPoint.SENT_BY_CLIENT, home, session);
    if (passing == null) {
      return;
    }
    if (to.isDomain()
        && passing.isRequest()
        && destination instanceof ServiceDestination<?> service
        && service.homeOf(passing) == null) {
      service.acceptForDomain(passing);
    } else {
      destination.accept(envelope.withStanza(passing));
    }
  }
}
