package im.zonda.module.muc.occupant;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.ServiceHomes;
import im.zonda.module.Xep;
import im.zonda.module.muc.home.ForwardedRequests;
import im.zonda.module.muc.home.ForwardedRequests.Forwarded;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.function.Supplier;

/// Forwards IQ requests between occupants, and their responses, without disclosing real JIDs
/// (XEP-0045, section 16.4). Answers pings of occupants to themselves (XEP-0410).
@Xep(number = 410, version = "1.1.0", title = "MUC Self-Ping (Schrödinger's Chat)")
public final class OccupantRequests {
  private static final String FEATURE = "http://jabber.org/protocol/muc#self-ping-optimization";
  private static final QName PING = new QName("urn:xmpp:ping", "ping");
  private static final QName VCARD = new QName("vcard-temp", "vCard");
  private static final String DISCO = "http://jabber.org/protocol/disco#";

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final Supplier<ServiceHomes<RoomHome>> places;

  public OccupantRequests(
      ModuleContext context, Supplier<Rooms> settings, Supplier<ServiceHomes<RoomHome>> places) {
    this.context = context;
    this.settings = settings;
    this.places = places;
  }

  public void install(RequestTable table) {
    table.roomFeature(FEATURE);
  }

  /// Forwards a request to an occupant's address. Does not block.
  public void forward(RoomHome home, Iq iq, QName payload) {
    LiveRoom live = home.live();
    Jid session = iq.from();
    Jid to = iq.to();
    String nick = to == null ? null : to.resource();
    if (session == null || to == null || nick == null) {
      return;
    }
    Occupant requester = live == null ? null : live.room().occupant(session);
    OccupantSession occupantSession = requester == null ? null : requester.session(session);
    if (live == null || requester == null || occupantSession == null) {
      // XEP-0045, section 6.6, and XEP-0410, section 3.3.
      boolean discovers = payload.namespace().startsWith(DISCO);
      sendError(
          iq,
          StanzaError.of(discovers ? ErrorCondition.BAD_REQUEST : ErrorCondition.NOT_ACCEPTABLE));
      return;
    }
    Occupant asked = live.room().occupantByNick(nick);
    if (!occupantSession
        .messageRate()
        .tryAcquire(context.clock().millis(), settings.get().messageRate())) {
      sendError(iq, MucErrors.rateExceeded());
    } else if (asked == null) {
      sendError(iq, StanzaError.of(ErrorCondition.ITEM_NOT_FOUND));
    } else if (asked.equals(requester) && payload.equals(PING)) {
      context.send(Iq.result(iq, null));
    } else {
      forwardTo(home, requester, asked, iq, payload);
    }
  }

  private void forwardTo(RoomHome home, Occupant requester, Occupant asked, Iq iq, QName payload) {
    Jid session = iq.from();
    Jid as = iq.to();
    if (session == null || as == null) {
      return;
    }
    // The vCard belongs to the account and is answered by its server (XEP-0054, section 3.2).
    Jid receiver = payload.equals(VCARD) ? asked.user() : asked.mainSession().jid();
    String id = context.ids().next();
    Forwarded forwarded = new Forwarded(session, iq.id(), receiver, as, context.clock().millis());
    if (!home.forwarded().add(id, forwarded)) {
      sendError(iq, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
      return;
    }
    scheduleExpiry(home);
    // A receiver who blocks the requester (XEP-0191) is an error, returned as any response is.
    Iq request =
        Iq.of(iq.type(), requester.address(), receiver, id, iq.payload()).withLang(iq.lang());
    context.send(Envelope.of(request).withAuthor(session));
  }

  /// Forwards a response to the requester. Discards an unexpected one. Does not block.
  public void handleResponse(RoomHome home, Iq iq) {
    Jid from = iq.from();
    LiveRoom live = home.live();
    Forwarded forwarded = from == null ? null : home.forwarded().remove(iq.id(), from);
    String id = forwarded == null ? null : forwarded.id();
    if (live == null
        || forwarded == null
        || id == null
        || live.room().occupant(forwarded.requester()) == null) {
      return;
    }
    if (iq.isError()) {
      sendError(forwarded, id, MucErrors.copyOf(iq));
    } else {
      context.send(
          Iq.of(Iq.Type.RESULT, forwarded.shownAs(), forwarded.requester(), id, iq.payload())
              .withLang(iq.lang()));
    }
  }

  private void sendError(Forwarded forwarded, String id, StanzaError error) {
    context.send(
        Iq.of(Iq.Type.ERROR, forwarded.shownAs(), forwarded.requester(), id, error.toElement()));
  }

  private void scheduleExpiry(RoomHome home) {
    if (home.forwarded().tryStartTimer()) {
      context
          .scheduler()
          .schedule(
              Duration.ofMillis(ForwardedRequests.TIMEOUT_MILLIS),
              () -> places.get().submitIfLoaded(home.jid(), false, this::expire));
    }
  }

  private void expire(RoomHome home) {
    home.forwarded().timerStopped();
    try {
      for (Forwarded forwarded : home.forwarded().removeExpired(context.clock().millis())) {
        String id = forwarded.id();
        if (id != null && !forwarded.shownAs().equals(home.jid())) {
          sendError(forwarded, id, StanzaError.of(ErrorCondition.REMOTE_SERVER_TIMEOUT));
        }
      }
    } finally {
      scheduleExpiry(home);
    }
  }

  private void sendError(Iq iq, StanzaError error) {
    context.send(Iq.error(iq, error));
  }
}
