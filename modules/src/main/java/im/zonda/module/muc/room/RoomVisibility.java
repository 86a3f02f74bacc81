package im.zonda.module.muc.room;

import im.zonda.jid.Jid;

/// Decides what a room discloses about itself to a requester (XEP-0045, section 6).
public final class RoomVisibility {
  private RoomVisibility() {}

  /// Whether the room exists for that requester: a locked room does for its owners only.
  public static boolean existsFor(Room room, Jid requester) {
    return !room.isLocked() || room.affiliationOf(requester.bare()) == Affiliation.OWNER;
  }

  /// Whether the requester may read the room's extended information.
  public static boolean isVisibleTo(Room room, Jid requester) {
    return existsFor(room, requester)
        && (room.config().listed()
            || room.affiliationOf(requester.bare()).isAtLeast(Affiliation.MEMBER)
            || canEnter(room, requester));
  }

  /// Whether the requester is in the room, is one of its admins, or may enter it without a
  /// password.
  public static boolean canEnter(Room room, Jid requester) {
    Affiliation affiliation = room.affiliationOf(requester.bare());
    boolean belongs = affiliation.isAtLeast(Affiliation.MEMBER);
    boolean open =
        room.config().password() == null
            && affiliation != Affiliation.OUTCAST
            && (belongs || !room.config().membersOnly());
    return room.occupant(requester) != null || affiliation.isAtLeast(Affiliation.ADMIN) || open;
  }
}
