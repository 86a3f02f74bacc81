package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.ServiceHomes;
import im.zonda.module.Xep;
import im.zonda.module.muc.Relays.Relay;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Passes IQ requests of one occupant on to another and the answer back (XEP-0045, section 16.4):
/// neither learns the other's true address by it. Whether someone is in the room is answered here
/// (XEP-0410).
@Xep(number = 410, version = "1.1.0", title = "MUC Self-Ping (Schrödinger's Chat)")
final class OccupantRequests {
  private static final String FEATURE = "http://jabber.org/protocol/muc#self-ping-optimization";
  private static final QName PING = new QName("urn:xmpp:ping", "ping");
  private static final QName VCARD = new QName("vcard-temp", "vCard");
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");
  private static final String DISCO = "http://jabber.org/protocol/disco#";

  private final ModuleContext context;
  private final Rooms settings;
  private final Supplier<ServiceHomes<RoomHome>> places;

  OccupantRequests(ModuleContext context, Rooms settings, Supplier<ServiceHomes<RoomHome>> places) {
    this.context = context;
    this.settings = settings;
    this.places = places;
  }

  void install(RequestTable table) {
    table.roomFeature(FEATURE);
  }

  /// Takes a request to an occupant's address. Does not block.
  void ask(RoomHome home, Iq iq, QName payload) {
    LiveRoom live = home.live();
    Jid session = iq.from();
    Jid to = iq.to();
    String nick = to == null ? null : to.resource();
    if (session == null || to == null || nick == null) {
      return;
    }
    Occupant asker = live == null ? null : live.room().occupant(session);
    Seat seat = asker == null ? null : asker.seat(session);
    if (live == null || asker == null || seat == null) {
      // XEP-0045, section 6.6, and XEP-0410, section 3.3
      boolean discovers = payload.namespace().startsWith(DISCO);
      refuse(
          iq,
          StanzaError.of(discovers ? ErrorCondition.BAD_REQUEST : ErrorCondition.NOT_ACCEPTABLE));
      return;
    }
    Occupant asked = live.room().named(nick);
    if (!seat.messages().spend(context.clock().millis(), settings.messageRate())) {
      refuse(iq, RoomEntry.tooMuch());
    } else if (asked == null) {
      refuse(iq, StanzaError.of(ErrorCondition.ITEM_NOT_FOUND));
    } else if (asked.equals(asker) && payload.equals(PING)) {
      context.send(Iq.result(iq, null));
    } else {
      pass(home, asker, asked, iq, payload);
    }
  }

  private void pass(RoomHome home, Occupant asker, Occupant asked, Iq iq, QName payload) {
    Jid session = iq.from();
    Jid as = iq.to();
    if (session == null || as == null) {
      return;
    }
    // A vCard belongs to the account; no client answers for it (XEP-0054, section 3.2).
    Jid receiver = payload.equals(VCARD) ? asked.user() : asked.main().session();
    String id = context.ids().next();
    Relay relay = new Relay(session, iq.id(), receiver, as, context.clock().millis());
    if (!home.relays().begin(id, relay)) {
      refuse(iq, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
      return;
    }
    expireLater(home);
    // A receiver who blocks the asker (XEP-0191) is an error, which comes back as any answer does.
    Iq passed = Iq.of(iq.type(), asker.address(), receiver, id, iq.payload()).withLang(iq.lang());
    context.send(Envelope.of(passed).withAuthor(session));
  }

  /// Takes an answer. One that nobody waits for is dropped. Does not block.
  void answered(RoomHome home, Iq iq) {
    Jid from = iq.from();
    LiveRoom live = home.live();
    Relay relay = from == null ? null : home.relays().end(iq.id(), from);
    String id = relay == null ? null : relay.id();
    if (live == null
        || relay == null
        || id == null
        || live.room().occupant(relay.asker()) == null) {
      return;
    }
    if (iq.isError()) {
      answer(relay, id, error(iq.payload(ERROR)));
    } else {
      context.send(
          Iq.of(Iq.Type.RESULT, relay.as(), relay.asker(), id, iq.payload()).withLang(iq.lang()));
    }
  }

  private void answer(Relay relay, String id, StanzaError error) {
    context.send(Iq.of(Iq.Type.ERROR, relay.as(), relay.asker(), id, error.toElement()));
  }

  /// The error without who made it: that could be a true address.
  private static StanzaError error(@Nullable Element error) {
    ErrorCondition condition = ErrorCondition.UNDEFINED_CONDITION;
    ErrorType type = null;
    if (error != null) {
      for (Element child : error.children()) {
        ErrorCondition known = ErrorCondition.ofElementName(child.name().name());
        if (known != null && child.name().namespace().equals(Namespaces.STANZA_ERRORS)) {
          condition = known;
        }
      }
      for (ErrorType each : ErrorType.values()) {
        type = each.value().equals(error.attribute("type")) ? each : type;
      }
    }
    return new StanzaError(condition, type == null ? condition.type() : type, null, null);
  }

  private void expireLater(RoomHome home) {
    if (home.relays().startTimer()) {
      context
          .scheduler()
          .schedule(
              Duration.ofMillis(Relays.PATIENCE_MILLIS),
              () -> places.get().submitIfLoaded(home.jid(), false, this::expire));
    }
  }

  private void expire(RoomHome home) {
    home.relays().timerEnded();
    try {
      for (Relay relay : home.relays().overdue(context.clock().millis())) {
        String id = relay.id();
        if (id != null && !relay.as().equals(home.jid())) {
          answer(relay, id, StanzaError.of(ErrorCondition.REMOTE_SERVER_TIMEOUT));
        }
      }
    } finally {
      expireLater(home);
    }
  }

  private void refuse(Iq iq, StanzaError error) {
    context.send(Iq.error(iq, error));
  }
}
