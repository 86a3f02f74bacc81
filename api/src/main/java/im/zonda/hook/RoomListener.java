package im.zonda.hook;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import org.jspecify.annotations.Nullable;

/// Observes the rooms of a host (XEP-0045), at the home of each room. Must not block. A room that
/// moves to another node of a cluster, and one that is unloaded or restored with its occupants, is
/// observed as if nothing had happened.
public interface RoomListener {
  /// A room was created, or a removed one was restored. It may be locked until its creator has
  /// configured it.
  ///
  /// @param room the bare address of the room
  /// @param by the bare address of the creator; the domain of the host if it has created the room
  default void created(Jid room, Jid by) {}

  /// A room was removed: its occupants have left before.
  ///
  /// @param room the bare address of the room
  default void removed(Jid room) {}

  /// A session has entered a room.
  ///
  /// @param occupant the address in the room, with the nickname
  /// @param session the true full address
  default void entered(Jid occupant, Jid session) {}

  /// A session has left a room, or was removed from it.
  ///
  /// @param occupant the address in the room, with the nickname
  /// @param session the true full address
  default void left(Jid occupant, Jid session) {}

  /// A message was sent to all occupants.
  ///
  /// @param message as the occupants get it, without an address in `to`
  /// @param session the true full address of the sender; null if the room itself has sent it
  default void sent(Message message, @Nullable Jid session) {}
}
