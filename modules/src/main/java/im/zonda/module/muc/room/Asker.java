package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Permissions.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who asks a room to change something, in it or not.
///
/// @param user the bare address
/// @param standing what that user is; of several occupants of one account the one with the most
/// @param nick how that user is called, or null if it is not in the room
public record Asker(Jid user, Standing standing, @Nullable String nick) {
  public static Asker of(Room room, Jid session) {
    Jid user = session.bare();
    Occupant own = room.occupant(session);
    Role role = Role.NONE;
    List<Occupant> all = room.occupantsOf(user);
    for (Occupant occupant : all) {
      role = occupant.role().isAtLeast(role) ? occupant.role() : role;
    }
    String nick = own != null ? own.nick() : all.isEmpty() ? null : all.getFirst().nick();
    return new Asker(user, new Standing(room.affiliationOf(user), role), nick);
  }
}
