package im.zonda.module.muc.admin;

import im.zonda.account.RemovedUser;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.admin.PrivilegeChanges.Changes;
import im.zonda.module.muc.home.HatStore;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.Hats;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import java.util.List;

/// Takes affiliations and hats from users whose accounts were removed, so that the next owner of
/// the address does not have them.
///
/// A ban stays: it is about the address. A room that loses its last owner and has no other member
/// and no occupant is destroyed; otherwise it stays, and only admins of the service own it.
public final class RemovedUsers {
  private final ModuleContext context;
  private final PrivilegeChanges changes;
  private final RoomExit exit;
  private final HatStore hats;

  public RemovedUsers(ModuleContext context, PrivilegeChanges changes, RoomExit exit) {
    this.context = context;
    this.changes = changes;
    this.exit = exit;
    this.hats = new HatStore(context);
  }

  public void install(RequestTable table) {
    table.onRoomIq(
        Iq.Type.SET, RemovedUser.ROOM, (home, live, iq, payload) -> forget(home, live, iq));
  }

  private IqReply forget(RoomHome home, LiveRoom live, Iq iq) {
    Jid user = RemovedUser.read(iq);
    if (user == null) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    Room room = live.room();
    home.pendingRegistrations().remove(user);
    if (room.hats().areWornBy(user)) {
      Hats left = room.hats().without(user);
      if (live.stored()) {
        hats.write(room.jid(), left);
      }
      room.setHats(left);
    }
    Affiliations.Entry entry = room.affiliations().entry(user);
    if (entry == null || entry.affiliation() == Affiliation.OUTCAST) {
      return IqReply.empty();
    }
    if (room.isAbandonedWithout(user)) {
      exit.destroy(home, live, MucNames.DESTROY);
      return IqReply.empty();
    }
    List<AffiliationChange> change =
        List.of(new AffiliationChange(user, Affiliation.NONE, null, null));
    boolean made =
        changes.saveAndApply(
            home,
            live,
            new Changes(room.config(), change, List.of(), Requester.of(room, user), true),
            () -> context.send(Iq.result(iq, null)));
    return made ? IqReply.later() : new IqReply.Refuse(MucErrors.creatorMemoryExceeded());
  }
}
