package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;

/// The room service of a virtual host: brings every stanza to the commands of the room that it is
/// for (XEP-0045, section 6 and on).
final class RoomService implements DomainService<RoomHome> {
  static final String TITLE = "Rooms";

  /// How long a room that nobody is in is kept in memory.
  private static final Duration KEPT = Duration.ofMinutes(2);

  /// A room larger than this keeps whoever writes to it busy for so long that a thread of its own
  /// does it.
  private static final int LARGE = 500;

  private final Jid domain;
  private final ModuleContext context;
  private final RoomKeeper keeper;
  private final Commands commands;
  private final RequestTable requests;
  private final RoomLives lives;

  /// What takes the stanzas that come.
  record Commands(
      PresenceCommands presences, MessageCommands messages, OccupantRequests occupants) {}

  RoomService(
      Jid domain,
      ModuleContext context,
      RoomKeeper keeper,
      Commands commands,
      RequestTable requests,
      RoomLives lives) {
    this.domain = domain;
    this.context = context;
    this.keeper = keeper;
    this.commands = commands;
    this.requests = requests;
    this.lives = lives;
  }

  @Override
  public Jid domain() {
    return domain;
  }

  @Override
  public String title() {
    return TITLE;
  }

  @Override
  public RoomHome load(Jid address) {
    return keeper.open(address);
  }

  @Override
  public boolean canUnload(RoomHome home) {
    LiveRoom live = home.live();
    if (live == null) {
      return true;
    }
    home.joins().forgetOld(context.clock().millis());
    return live.stored()
        && live.room().size() == 0
        && (home.memory().isScarce()
            || home.usedAt().isBefore(context.clock().instant().minus(KEPT)));
  }

  @Override
  public void unloaded(RoomHome home) {
    home.end();
  }

  @Override
  public boolean mayBlock(RoomHome home, Stanza stanza) {
    if (home.size() > LARGE) {
      return true;
    }
    return switch (stanza) {
      case Message message ->
          MessageCommands.isSubject(message)
              || (!message.isError() && requests.forMessage(message) != null);
      case Presence presence ->
          // Entering makes a room, and how many the user has made is stored.
          presence.type() == Presence.Type.AVAILABLE && home.live() == null;
      case Iq iq -> iq.isRequest() && isForRoom(iq);
    };
  }

  @Override
  public void accept(RoomHome home, Envelope envelope) {
    Stanza stanza = envelope.stanza();
    home.used(context.clock().instant());
    if (home.isRefused()) {
      refuse(stanza);
      return;
    }
    switch (stanza) {
      case Message message -> take(home, message, envelope);
      case Presence presence -> commands.presences().take(home, presence, envelope);
      case Iq iq -> take(home, iq);
    }
  }

  private void refuse(Stanza stanza) {
    StanzaError error = RoomCost.tooMuch();
    switch (stanza) {
      case Message message when !message.isError() -> context.send(Message.error(message, error));
      case Presence presence when presence.type() == Presence.Type.AVAILABLE ->
          context.send(Presence.error(presence, error));
      case Iq iq when iq.isRequest() -> context.send(Iq.error(iq, error));
      default -> {
        // It asks for nothing.
      }
    }
  }

  private static boolean isForRoom(Stanza stanza) {
    Jid to = stanza.to();
    return to != null && to.resource() == null;
  }

  private void take(RoomHome home, Message message, Envelope envelope) {
    LiveRoom live = home.live();
    RoomMessage taker = requests.forMessage(message);
    if (live == null || taker == null || !taker.take(home, live, message, envelope)) {
      commands.messages().take(home, message, envelope);
    }
  }

  private void take(RoomHome home, Iq iq) {
    if (!iq.isRequest()) {
      commands.occupants().answered(home, iq);
      return;
    }
    QName name = iq.payloadName();
    Element payload = iq.payload();
    if (name == null || payload == null) {
      return;
    }
    if (!isForRoom(iq)) {
      commands.occupants().ask(home, iq, name);
      return;
    }
    LiveRoom live = home.live();
    if (live == null) {
      reply(iq, IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
      return;
    }
    RoomRequest request = requests.forRoom(iq.type(), name);
    reply(
        iq,
        request == null
            ? IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE)
            : request.answer(home, live, iq, payload));
  }

  @Override
  public void acceptForDomain(Stanza stanza) {
    switch (stanza) {
      case Iq iq -> {
        QName name = iq.payloadName();
        Element payload = iq.isRequest() ? iq.payload() : null;
        if (name != null && payload != null) {
          ServiceRequest request = requests.forService(iq.type(), name);
          reply(
              iq,
              request == null
                  ? IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE)
                  : request.answer(iq, payload));
        }
      }
      case Message message -> {
        if (!message.isError()) {
          StanzaError error = StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE);
          context.send(Message.error(message, error));
        }
      }
      case Presence presence -> {
        // The service itself has no presence.
      }
    }
  }

  @Override
  public void started() {
    lives.started();
  }

  @Override
  public void stopping() {
    lives.stopping();
  }

  private void reply(Iq iq, IqReply reply) {
    switch (reply) {
      case IqReply.Result(Element result) -> context.send(Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> context.send(Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }
}
