package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Permissions.Privileges;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A user who requests a change, in the room or not.
///
/// @param user the bare address
/// @param privileges the user's affiliation, and the highest role of the user's occupants
/// @param nick the user's nickname, or null if the user is not in the room
public record Requester(Jid user, Privileges privileges, @Nullable String nick) {
  /// The host of the service, for its administrators: it may do everything in every room.
  public static Requester ofHost(Jid host) {
    return new Requester(host, new Privileges(Affiliation.OWNER, Role.MODERATOR), null);
  }

  public static Requester of(Room room, Jid session) {
    Jid user = session.bare();
    Occupant own = room.occupant(session);
    Role role = Role.NONE;
    List<Occupant> all = room.occupantsOf(user);
    for (Occupant occupant : all) {
      role = occupant.role().isAtLeast(role) ? occupant.role() : role;
    }
    String nick = own != null ? own.nick() : all.isEmpty() ? null : all.getFirst().nick();
    return new Requester(user, new Privileges(room.affiliationOf(user), role), nick);
  }
}
