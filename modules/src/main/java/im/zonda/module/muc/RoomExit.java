package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.Places;
import im.zonda.module.muc.OccupantPresence.Event;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How sessions and occupants get out of a room, by themselves or not (XEP-0045, sections 7.14,
/// 8.2, 9.1, 10.9 and 12), and how a room ends.
final class RoomExit {
  private final RoomBroadcast broadcast;
  private final RoomKeeper keeper;
  private final Supplier<Places<RoomHome>> places;

  RoomExit(RoomBroadcast broadcast, RoomKeeper keeper, Supplier<Places<RoomHome>> places) {
    this.broadcast = broadcast;
    this.keeper = keeper;
    this.places = places;
  }

  /// A session leaves; its occupant stays if it has others.
  ///
  /// @param id what the client calls its own stanza, or null
  /// @param said what the client says as it goes
  /// @return false if it was not there
  boolean leave(
      RoomHome home,
      LiveRoom live,
      Jid session,
      @Nullable String id,
      List<Element> said,
      Event event) {
    Room room = live.room();
    Occupant who = room.occupant(session);
    Seat seat = who == null ? null : who.seat(session);
    if (who == null || seat == null) {
      return false;
    }
    boolean wasMain = who.main().equals(seat);
    room.leave(session);
    home.changed();
    if (who.seats().isEmpty()) {
      // A room that nobody has configured ends here, and its creator is told (section 10.1.3).
      boolean ends = room.isLocked() && room.size() == 0;
      Event told = ends ? event.with(MucNames.DESTROY) : event;
      broadcast.unavailable(room, who, said, session, told);
      broadcast.goneToSelf(who, seat, id, said, told);
    } else {
      broadcast.goneToSelf(who, seat, id, said, event);
      Presence shown = who.main().shown();
      if (wasMain && shown != null) {
        List<Element> others = OccupantPresence.said(shown);
        broadcast.available(room, who, others, Event.NONE);
        who.seats().forEach(other -> broadcast.toSelf(who, other, null, others, Event.NONE));
      }
    }
    endIfOver(home);
    return true;
  }

  /// Puts out a session that is not reachable (section 12.1).
  void unreachable(RoomHome home, LiveRoom live, Jid session) {
    leave(home, live, session, null, List.of(), Event.of(333));
  }

  /// A temporary room ends with its last occupant, or when it is empty as it becomes one.
  void endIfOver(RoomHome home) {
    LiveRoom now = home.live();
    if (now != null && isOver(now) && !now.stored()) {
      home.live(null);
    } else if (isOver(now)) {
      // Later, where it may block; someone may come before.
      places
          .get()
          .at(
              home.jid(),
              true,
              later -> {
                LiveRoom live = later.live();
                if (live != null && isOver(live)) {
                  keeper.remove(live);
                  later.live(null);
                }
              });
    }
  }

  private static boolean isOver(@Nullable LiveRoom live) {
    return live != null
        && live.room().size() == 0
        && (!live.room().config().persistent() || live.room().isLocked());
  }

  /// Ends a room and tells those who are in it (section 10.9). Blocks.
  ///
  /// @param destroy what they are told of it
  void destroy(RoomHome home, LiveRoom live, Element destroy) {
    keeper.remove(live);
    home.live(null);
    Event event = new Event(List.of(), null, null, null, destroy);
    for (Occupant who : live.room().end()) {
      for (Seat seat : who.seats()) {
        broadcast.goneToSelf(who, seat, null, List.of(), event);
      }
    }
  }
}
