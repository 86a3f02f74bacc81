package im.zonda.module.muc.service;

import im.zonda.jid.Jid;
import im.zonda.module.Custody;
import im.zonda.module.DomainService;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomKeeper;
import im.zonda.module.muc.occupant.MessageCommands;
import im.zonda.module.muc.occupant.OccupantRequests;
import im.zonda.module.muc.occupant.PresenceCommands;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomMessage;
import im.zonda.module.muc.stanza.RoomRequest;
import im.zonda.module.muc.stanza.ServiceRequest;
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
public final class RoomService implements DomainService<RoomHome> {
  public static final String TITLE = "Rooms";

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
  public record Commands(
      PresenceCommands presences, MessageCommands messages, OccupantRequests occupants) {}

  public RoomService(
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
  public RoomHome open(Jid address) {
    return keeper.open(address);
  }

  @Override
  public boolean canClose(RoomHome home) {
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
  public void closed(RoomHome home) {
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
  public void take(RoomHome home, Stanza stanza, Custody custody) {
    home.used(context.clock().instant());
    if (home.isRefused()) {
      refuse(stanza);
      return;
    }
    switch (stanza) {
      case Message message -> take(home, message, custody);
      case Presence presence -> commands.presences().take(home, presence, custody);
      case Iq iq -> take(home, iq);
    }
  }

  private void refuse(Stanza stanza) {
    StanzaError error = MucErrors.creatorMemoryExceeded();
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

  private void take(RoomHome home, Message message, Custody custody) {
    LiveRoom live = home.live();
    RoomMessage taker = requests.forMessage(message);
    if (live == null || taker == null || !taker.take(home, live, message, custody)) {
      commands.messages().take(home, message, custody);
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
  public void takeForDomain(Stanza stanza) {
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
