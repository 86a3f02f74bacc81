package im.zonda.module.muc.admin;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomHooks;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.RoomStore;
import im.zonda.store.RoomStore.Removed;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The rooms of the service that were removed and can be restored for some time
/// ([Rooms#restoreTime]): they are listed, restored, and in the end erased.
///
/// A room is restored at the home of its address, wherever in a cluster that is, because the home
/// must know whether there is another room now. So the host sends it a request, which nobody else
/// may send.
public final class RemovedRooms {
  private static final QName RESTORE = new QName("urn:zonda:rooms:0", "restore");
  private static final Duration FIRST = Duration.ofMinutes(1);
  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final int AT_A_TIME = 100;

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final Jid domain;
  private final RoomRepository repository;
  private final RoomExit exit;
  private final RoomHooks hooks;
  private final RoomStore store;

  /// @param domain the domain of the service
  public RemovedRooms(
      ModuleContext context,
      Supplier<Rooms> settings,
      Jid domain,
      RoomRepository repository,
      RoomExit exit) {
    this.context = context;
    this.settings = settings;
    this.domain = domain;
    this.repository = repository;
    this.exit = exit;
    this.hooks = new RoomHooks(context);
    this.store = context.port(RoomStore.class);
  }

  public void install(RequestTable table) {
    table.onAddressIq(Iq.Type.SET, RESTORE, this::restore);
    context.everyAtOneNode(FIRST, PERIOD, this::eraseOld);
  }

  /// The latest removed rooms that can be restored, the last one first. Some whose time is over may
  /// not be erased yet. Blocks.
  ///
  /// @param local the local part of their address, or null for all
  List<Removed> latest(@Nullable String local, int limit) {
    Instant now = context.clock().instant();
    return store.removed(domain.domain(), local, limit).stream()
        .filter(each -> !end(each).isBefore(now))
        .toList();
  }

  /// Until when a room can be restored.
  Instant end(Removed room) {
    return room.removed().plus(settings.get().restoreTime());
  }

  /// The domain of the service.
  public Jid domain() {
    return domain;
  }

  /// The payload of the request to restore a room.
  static Element restoration(long number) {
    return Element.builder(RESTORE).attribute("number", Long.toString(number)).build();
  }

  /// Why a room has not been restored, without a full stop.
  static String problem(Jid room, ErrorCondition condition) {
    return switch (condition) {
      case CONFLICT ->
          "There is another room at "
              + room
              + " now. Its owner can destroy it; then this one can be restored";
      case ITEM_NOT_FOUND -> room + " can no longer be restored";
      case RESOURCE_CONSTRAINT ->
          room + " cannot be restored now: the rooms of its creator use too much memory";
      default -> room + " could not be restored. Try again";
    };
  }

  private IqReply restore(RoomHome home, Iq iq, Element payload) {
    String number = payload.attribute("number");
    if (number == null || !context.domain().equals(iq.from())) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    if (home.live() != null) {
      return IqReply.refuse(ErrorCondition.CONFLICT);
    }
    exit.deleteDestroyed(home); // the store may still have another room of this address
    return switch (repository.restore(home, Long.parseLong(number))) {
      case DONE -> {
        hooks.created(home.jid(), context.domain());
        yield IqReply.empty();
      }
      case ADDRESS_TAKEN -> IqReply.refuse(ErrorCondition.CONFLICT);
      case UNKNOWN -> IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
      case NO_MEMORY -> IqReply.refuse(ErrorCondition.RESOURCE_CONSTRAINT);
    };
  }

  private void eraseOld() {
    Instant before = context.clock().instant().minus(settings.get().restoreTime());
    int erased;
    do {
      erased = store.eraseRemoved(domain.domain(), before, AT_A_TIME);
    } while (erased == AT_A_TIME);
  }
}
