package im.zonda.directory;

import im.zonda.jid.Jid;
import java.util.List;

/// The public rooms of a virtual host.
@FunctionalInterface
public interface RoomDirectory {
  /// A room that anyone may find.
  ///
  /// @param jid its bare address
  /// @param name its name, or its local part if it has none
  /// @param description what it is about; may be empty
  /// @param occupants how many people are in it; -1 if that is not known here
  /// @param open whether anyone may enter: neither a password nor membership is needed
  record PublicRoom(Jid jid, String name, String description, int occupants, boolean open) {}

  /// The public rooms in the order of their addresses; none if the host has no rooms. Blocks.
  ///
  /// @param most the most rooms
  List<PublicRoom> publicRooms(int most);
}
