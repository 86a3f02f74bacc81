package im.zonda.module.muc.service;

import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Room;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// Opens new rooms whose creators do not know that a room waits for its first configuration
/// (XEP-0045, section 10.1). Some clients neither request the form nor accept the defaults; their
/// users would be alone in a room that does not exist for anyone else. Such a room gets the default
/// configuration when its creator speaks in it, or when another user enters some seconds later. A
/// room whose form has been requested waits for the form.
public final class RoomOpening {
  /// Clients that configure rooms request the form at once.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final RoomRepository repository;
  private final RoomExit exit;

  public RoomOpening(InstantSource clock, RoomRepository repository, RoomExit exit) {
    this.clock = clock;
    this.repository = repository;
    this.exit = exit;
  }

  /// Whether the room opens before it handles the stanza.
  boolean isDue(RoomHome home, Stanza stanza) {
    LiveRoom live = home.live();
    if (live == null || !live.room().isLocked() || live.room().isBeingConfigured()) {
      return false;
    }
    Room room = live.room();
    boolean isInside = stanza.from() != null && room.occupant(stanza.from()) != null;
    return switch (stanza) {
      case Message message -> isInside && message.type() == Message.Type.GROUPCHAT;
      case Presence presence ->
          !isInside
              && presence.type() == Presence.Type.AVAILABLE
              && presence.has(MucNames.ENTER)
              && room.created().plus(PATIENCE).isBefore(clock.instant());
      default -> false;
    };
  }

  /// Opens the room with the default configuration. Blocks.
  void open(RoomHome home) {
    LiveRoom live = home.live();
    if (live != null) {
      exit.deleteDestroyed(home); // the store may still have a room of this address
      home.setLive(repository.saveNew(live, live.room().config(), List.of()));
      live.room().unlock();
    }
  }
}
