package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Places;
import im.zonda.module.SavedState;
import im.zonda.module.Scheduler;
import im.zonda.module.muc.OccupantPresence.Event;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.module.muc.SeatForm.SavedSeat;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings rooms over a restart of the server.
///
/// After a clean stop those whose sessions can be resumed (XEP-0198) are in their rooms as before;
/// of the others, those who are still there learn that they went with the server (status 332,
/// XEP-0045, section 11.2). After a crash nobody is in any room; temporary rooms stay for some
/// minutes, for those who come back, and end then.
final class RoomLives {
  private static final Logger log = LoggerFactory.getLogger(RoomLives.class);
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
  private final Supplier<Places<RoomHome>> places;
  private final SavedState saved;
  private final RoomStore store;

  private volatile Scheduler.@Nullable Cancellable ending;

  /// Temporary rooms have been looked at up to this one; touched only by [#endSome].
  private @Nullable String ended;

  RoomLives(
      ModuleContext context,
      Jid domain,
      RoomBroadcast broadcast,
      RoomExit exit,
      Supplier<Places<RoomHome>> places) {
    this.context = context;
    this.domain = domain;
    this.broadcast = broadcast;
    this.exit = exit;
    this.places = places;
    this.saved = context.port(SavedState.class);
    this.store = context.port(RoomStore.class);
  }

  // ---- the end

  /// Writes down who is where. Blocks for seconds at most.
  void stopping() {
    Queue<SavedSeat> seats = new ConcurrentLinkedQueue<>();
    List<Jid> open = places.get().open();
    CountDownLatch waiting = new CountDownLatch(open.size());
    for (Jid room : open) {
      boolean there =
          places
              .get()
              .ifOpen(
                  room,
                  false,
                  home -> {
                    try {
                      seats.addAll(seatsOf(home));
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
        log.atWarn().addKeyValue("rooms", waiting.getCount()).log("seats_not_asked");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    saved.save(domain, new SeatForm(), List.copyOf(seats));
  }

  private List<SavedSeat> seatsOf(RoomHome home) {
    LiveRoom live = home.live();
    if (live == null) {
      return List.of();
    }
    Room room = live.room();
    if (!live.stored()) {
      for (Occupant who : List.copyOf(room.occupants())) {
        room.remove(who);
        for (Seat seat : who.seats()) {
          broadcast.goneToSelf(who, seat, null, List.of(), SHUTDOWN);
        }
      }
      return List.of();
    }
    List<SavedSeat> saved = new ArrayList<>();
    for (Occupant who : room.occupants()) {
      for (Seat seat : who.seats()) {
        saved.add(
            new SavedSeat(
                who.address(), seat.session(), who.role(), who.isAnnounced(), seat.shown()));
      }
    }
    return saved;
  }

  // ---- the beginning

  /// Puts everyone back who was there, and looks who has come back. Blocks.
  void started() {
    Map<Jid, List<SavedSeat>> byRoom = new LinkedHashMap<>();
    for (SavedSeat seat : saved.take(domain, new SeatForm())) {
      byRoom.computeIfAbsent(seat.address().bare(), room -> new ArrayList<>()).add(seat);
    }
    byRoom.forEach((room, seats) -> places.get().at(room, true, home -> putBack(home, seats)));
    byRoom.forEach(
        (room, seats) -> seats.forEach(seat -> exit.removeIfGone(room, seat.session(), SHUTDOWN)));
    ending = context.every(GRACE, PAUSE, this::endSome);
  }

  private void putBack(RoomHome home, List<SavedSeat> seats) {
    for (SavedSeat seat : seats) {
      LiveRoom live = home.live();
      if (live == null || !seat(home, live, seat)) {
        // The room is not what it was: the session learns that it is not there any more.
        Jid user = seat.session().bare();
        Occupant gone = new Occupant(user, seat.address(), NO_ID, Affiliation.NONE, Role.NONE);
        broadcast.goneToSelf(gone, new Seat(seat.session()), null, List.of(), SHUTDOWN);
      }
    }
    home.changed();
  }

  private static boolean seat(RoomHome home, LiveRoom live, SavedSeat saved) {
    Room room = live.room();
    Jid session = saved.session();
    String nick = saved.address().resource();
    Presence shown = saved.shown();
    if (nick == null
        || shown == null
        || room.occupant(session) != null
        || room.refusal(session, nick, room.config().password()) != null) {
      return false;
    }
    RoomMemory.Charge cost = home.memory().charge(session.bare());
    Occupant who = RoomEntry.seat(live, session, saved.address(), cost);
    if (saved.role() != Role.NONE) {
      room.role(who, saved.role());
    }
    who.announced(saved.announced());
    who.main().shown(shown.packed());
    return true;
  }

  // ---- what a crash has left

  private void endSome() {
    try {
      List<Jid> rooms = store.temporary(domain.domain(), ended, PAGE);
      for (Jid room : rooms) {
        places.get().at(room, true, exit::endIfOver);
      }
      if (!rooms.isEmpty()) {
        ended = rooms.getLast().local();
      } else if (ending != null) {
        ending.cancel();
      }
    } catch (StoreException e) {
      log.atWarn().setCause(e).log("temporary_rooms_not_ended");
    }
  }
}
