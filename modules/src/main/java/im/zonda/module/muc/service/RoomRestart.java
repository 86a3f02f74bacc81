package im.zonda.module.muc.service;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.SavedState;
import im.zonda.module.Scheduler;
import im.zonda.module.ServiceHomes;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.occupant.RoomEntry;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantIds;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.RoomMemory;
import im.zonda.module.muc.service.SavedOccupancyCodec.SavedOccupancy;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.Presence;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps occupants in their rooms over a restart of the server.
///
/// After a clean stop, sessions that can be resumed (XEP-0198) are still in their rooms. Others are
/// removed; connected ones are notified that the service was shut down (status 332, XEP-0045,
/// section 11.2). After a crash all rooms are empty; temporary rooms are destroyed after some
/// minutes, in which users may return.
public final class RoomRestart {
  private static final Logger log = LoggerFactory.getLogger(RoomRestart.class);
  private static final Event SHUTDOWN = Event.of(332);
  private static final OccupantIds.Id NO_ID = new OccupantIds.Id(0, 0);
  private static final long PATIENCE_SECONDS = 5;
  private static final Duration GRACE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final int PAGE = 100;

  private final ModuleContext context;
  private final Jid domain;
  private final RoomBroadcast broadcast;
  private final RoomExit exit;
  private final Supplier<ServiceHomes<RoomHome>> places;
  private final SavedState saved;
  private final RoomStore store;

  private volatile Scheduler.@Nullable Cancellable cleanup;

  /// Temporary rooms up to this one have been checked; used by [#destroySome] only.
  private @Nullable String lastChecked;

  public RoomRestart(
      ModuleContext context,
      Jid domain,
      RoomBroadcast broadcast,
      RoomExit exit,
      Supplier<ServiceHomes<RoomHome>> places) {
    this.context = context;
    this.domain = domain;
    this.broadcast = broadcast;
    this.exit = exit;
    this.places = places;
    this.saved = context.port(SavedState.class);
    this.store = context.port(RoomStore.class);
  }

  // ---- on stop

  /// Saves the occupants of all rooms. Blocks for a few seconds at most.
  void saveOccupants() {
    Queue<SavedOccupancy> sessions = new ConcurrentLinkedQueue<>();
    atEachRoom(home -> sessions.addAll(collectOccupancies(home)));
    saved.save(domain, new SavedOccupancyCodec(), List.copyOf(sessions));
  }

  /// Removes the occupants of all rooms, as the service ends while their clients are connected. The
  /// rooms stay in the store. Blocks for a few seconds at most.
  void removeOccupants() {
    atEachRoom(home -> {
      LiveRoom live = home.live();
      if (live != null) {
        removeOccupants(live.room());
      }
    });
  }

  private void removeOccupants(Room room) {
    for (Occupant occupant : List.copyOf(room.occupants())) {
      room.remove(occupant);
      for (OccupantSession occupantSession : occupant.sessions()) {
        broadcast.sendLeft(occupant, occupantSession, null, List.of(), SHUTDOWN);
      }
    }
  }

  private void atEachRoom(Consumer<RoomHome> task) {
    List<Jid> open = places.get().addresses();
    CountDownLatch waiting = new CountDownLatch(open.size());
    for (Jid room : open) {
      boolean there =
          places
              .get()
              .submitIfLoaded(
                  room,
                  false,
                  home -> {
                    try {
                      task.accept(home);
                    } finally {
                      waiting.countDown();
                    }
                  });
      if (!there) {
        waiting.countDown();
      }
    }
    try {
      if (!waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        log.atWarn().addKeyValue("rooms", waiting.getCount()).log("rooms_not_reached");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The occupants of a room; none if the room is no longer stored.
  List<SavedOccupancy> collectOccupancies(RoomHome home) {
    LiveRoom live = home.live();
    if (live == null) {
      return List.of();
    }
    Room room = live.room();
    if (!live.stored()) {
      removeOccupants(room);
      return List.of();
    }
    List<SavedOccupancy> saved = new ArrayList<>();
    for (Occupant occupant : room.occupants()) {
      for (OccupantSession occupantSession : occupant.sessions()) {
        saved.add(SavedOccupancy.of(occupant, occupantSession));
      }
    }
    return saved;
  }

  // ---- on start

  /// Restores the saved occupants, and removes those whose sessions no longer exist. Blocks.
  void restoreOccupants() {
    Map<Jid, List<SavedOccupancy>> byRoom = new LinkedHashMap<>();
    for (SavedOccupancy occupancy : saved.take(domain, new SavedOccupancyCodec())) {
      byRoom.computeIfAbsent(occupancy.address().bare(), room -> new ArrayList<>()).add(occupancy);
    }
    byRoom.forEach(
        (room, sessions) -> places.get().submit(room, true, home -> putBack(home, sessions)));
    byRoom.forEach(this::removeGone);
    cleanup = context.every(GRACE, PAUSE, this::destroySome);
  }

  /// Removes those of these occupants of a room whose sessions do not exist.
  void removeGone(Jid room, List<SavedOccupancy> occupancies) {
    occupancies.forEach(each -> exit.removeIfGone(room, each.session(), SHUTDOWN));
  }

  /// Runs `task` at the home of a room if it is loaded.
  void visit(Jid room, Consumer<RoomHome> task) {
    boolean _ = places.get().submitIfLoaded(room, false, task);
  }

  /// Restores occupants of a room; notifies those who can no longer be there.
  void putBack(RoomHome home, List<SavedOccupancy> sessions) {
    for (SavedOccupancy each : sessions) {
      if (!isPutBack(home, each)) {
        // The room has changed: notify the session that it has been removed.
        Jid user = each.session().bare();
        Occupant gone = new Occupant(user, each.address(), NO_ID, Affiliation.NONE, Role.NONE);
        broadcast.sendLeft(gone, new OccupantSession(each.session()), null, List.of(), SHUTDOWN);
      }
    }
    home.updateSize();
  }

  /// Whether it is in the room. One that fails keeps no other from it.
  private static boolean isPutBack(RoomHome home, SavedOccupancy saved) {
    LiveRoom live = home.live();
    try {
      return live != null && restore(home, live, saved);
    } catch (RuntimeException e) {
      log.atError()
          .addKeyValue("session", saved.session())
          .setCause(e)
          .log("occupant_not_restored");
      return false;
    }
  }

  private static boolean restore(RoomHome home, LiveRoom live, SavedOccupancy saved) {
    Room room = live.room();
    Jid session = saved.session();
    if (room.occupant(session) != null) {
      return true;
    }
    String nick = saved.address().resource();
    Presence shown = saved.presence();
    if (nick == null
        || shown == null
        || room.findEntryError(session, nick, room.config().password()) != null) {
      return false;
    }
    RoomMemory.Charge cost = home.memory().charge(session.bare());
    Occupant occupant = RoomEntry.addSession(live, session, saved.address(), cost);
    if (saved.role() != Role.NONE) {
      room.changeRole(occupant, saved.role());
    }
    occupant.setAnnounced(saved.announced());
    occupant.mainSession().showPresence(shown.packed());
    occupant.mainSession().setEnteredAt(saved.enteredAt());
    return true;
  }

  // ---- after a crash

  private void destroySome() {
    try {
      List<Jid> rooms = store.temporary(domain.domain(), lastChecked, PAGE);
      for (Jid room : rooms) {
        places.get().submit(room, true, exit::destroyIfUnused);
      }
      if (!rooms.isEmpty()) {
        lastChecked = rooms.getLast().local();
      } else if (cleanup != null) {
        cleanup.cancel();
      }
    } catch (StoreException e) {
      log.atWarn().setCause(e).log("temporary_rooms_not_destroyed");
    }
  }
}
