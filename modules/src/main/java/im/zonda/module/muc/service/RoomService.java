package im.zonda.module.muc.service;

import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.MessageCommands;
import im.zonda.module.muc.occupant.OccupantRequests;
import im.zonda.module.muc.occupant.PresenceCommands;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.stanza.AddressRequestHandler;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomHooks;
import im.zonda.module.muc.stanza.RoomMessageHandler;
import im.zonda.module.muc.stanza.RoomRequestHandler;
import im.zonda.module.muc.stanza.ServiceRequestHandler;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.Map;

/// The room service of a virtual host: passes every stanza to the handlers of its room (XEP-0045,
/// sections 6 to 10).
public final class RoomService implements DomainService<RoomHome> {
  public static final String TITLE = "Rooms";

  /// How long an empty room stays in memory.
  private static final Duration IDLE_TIME = Duration.ofMinutes(2);

  /// Number of sessions above which a broadcast takes so long that it runs on a thread of its own.
  private static final int LARGE_ROOM = 500;

  private final Jid domain;
  private final ModuleContext context;
  private final RoomRepository repository;
  private final Handlers handlers;
  private final RequestTable requests;
  private final RoomRestart restart;
  private final RoomMove move;
  private final RoomHooks hooks;

  /// The handlers of stanzas to rooms and occupants.
  public record Handlers(
      RoomOpening opening,
      PresenceCommands presences,
      MessageCommands messages,
      OccupantRequests occupants) {}

  public RoomService(
      Jid domain,
      ModuleContext context,
      RoomRepository repository,
      Handlers handlers,
      RequestTable requests,
      RoomMove move) {
    this.domain = domain;
    this.context = context;
    this.repository = repository;
    this.handlers = handlers;
    this.requests = requests;
    this.restart = move.restart();
    this.move = move;
    this.hooks = new RoomHooks(context);
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
    return repository.open(address);
  }

  @Override
  public boolean canUnload(RoomHome home) {
    LiveRoom live = home.live();
    if (live == null) {
      return true;
    }
    home.joins().forgetOld(context.clock().millis());
    live.room().forgetOldRates(context.clock().millis());
    return live.stored()
        && live.room().size() == 0
        && (home.memory().isScarce()
            || home.lastUsed().isBefore(context.clock().instant().minus(IDLE_TIME)));
  }

  @Override
  public void unloaded(RoomHome home) {
    home.close();
  }

  @Override
  public Map<String, byte[]> leaving(RoomHome home) {
    return move.leaving(home);
  }

  @Override
  public void arrived(RoomHome home, Map<String, byte[]> state) {
    move.arrived(home, state);
  }

  @Override
  public void copyChanges(RoomHome home, boolean all, Copies copies) {
    move.copyChanges(home, all, copies);
  }

  @Override
  public boolean mayBlock(RoomHome home, Stanza stanza) {
    if (home.size() > LARGE_ROOM || handlers.opening().isDue(home, stanza)) {
      return true;
    }
    return switch (stanza) {
      case Message message ->
          Subject.isChangedBy(message)
              || isFirst(home, message)
              || (message.type() == Message.Type.GROUPCHAT && hooks.mayBlock())
              || (!message.isError() && requests.findMessageHandler(message) != null);
      case Presence presence ->
          // Entering may create a room, which reads the number of the user's rooms from the store.
          presence.type() == Presence.Type.AVAILABLE && home.live() == null;
      case Iq iq -> iq.isRequest() && isForRoom(iq);
    };
  }

  private static boolean isFirst(RoomHome home, Message message) {
    LiveRoom live = home.live();
    return live != null && MessageCommands.isFirst(live, message);
  }

  @Override
  public void accept(RoomHome home, Envelope cause) {
    Stanza stanza = cause.stanza();
    home.touch(context.clock().instant());
    if (home.lacksMemory() && !stanza.isError()) {
      sendError(cause);
      return;
    }
    if (handlers.opening().isDue(home, stanza)) {
      handlers.opening().open(home);
    }
    switch (stanza) {
      case Message message -> handleMessage(home, message, cause);
      case Presence presence -> handlers.presences().handle(home, presence, cause);
      case Iq iq -> handleIq(home, iq);
    }
  }

  private void sendError(Envelope cause) {
    StanzaError error = MucErrors.creatorMemoryExceeded();
    switch (cause.stanza()) {
      case Message message when !message.isError() -> {
        context
            .port(Journal.class)
            .record(
                Journal.Entry.of(Place.ROOM, Reason.ROOM_MEMORY, message)
                    .withIdentity(cause.origin().identity()));
        context.send(cause.answer(Message.error(message, error)));
      }
      case Presence presence when presence.type() == Presence.Type.AVAILABLE ->
          context.send(Presence.error(presence, error));
      case Iq iq when iq.isRequest() -> context.send(Iq.error(iq, error));
      default -> {
        // Not a request: no reply.
      }
    }
  }

  private static boolean isForRoom(Stanza stanza) {
    Jid to = stanza.to();
    return to != null && to.resource() == null;
  }

  private void handleMessage(RoomHome home, Message message, Envelope cause) {
    LiveRoom live = home.live();
    RoomMessageHandler handler = requests.findMessageHandler(message);
    if (live == null || handler == null || !handler.handle(home, live, message, cause)) {
      handlers.messages().handle(home, message, cause);
    }
  }

  private void handleIq(RoomHome home, Iq iq) {
    if (!iq.isRequest()) {
      handlers.occupants().handleResponse(home, iq);
      return;
    }
    QName name = iq.payloadName();
    Element payload = iq.payload();
    if (name == null || payload == null) {
      return;
    }
    if (!isForRoom(iq)) {
      handlers.occupants().forward(home, iq, name);
      return;
    }
    AddressRequestHandler ofAddress = requests.findAddressHandler(iq.type(), name);
    if (ofAddress != null) {
      reply(iq, ofAddress.answer(home, iq, payload));
      return;
    }
    LiveRoom live = home.live();
    if (live == null) {
      reply(iq, IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
      return;
    }
    RoomRequestHandler handler = requests.findRoomHandler(iq.type(), name);
    reply(
        iq,
        handler == null
            ? IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE)
            : handler.answer(home, live, iq, payload));
  }

  @Override
  public void acceptForDomain(Stanza stanza) {
    switch (stanza) {
      case Iq iq -> {
        QName name = iq.payloadName();
        Element payload = iq.isRequest() ? iq.payload() : null;
        if (name != null && payload != null) {
          ServiceRequestHandler handler = requests.findServiceHandler(iq.type(), name);
          reply(
              iq,
              handler == null
                  ? IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE)
                  : handler.answer(iq, payload));
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
    restart.restoreOccupants();
  }

  @Override
  public void withdrawing() {
    restart.removeOccupants();
  }

  @Override
  public void stopping() {
    restart.saveOccupants();
  }

  private void reply(Iq iq, IqReply reply) {
    switch (reply) {
      case IqReply.Result(Element result) -> context.send(Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> context.send(Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }
}
