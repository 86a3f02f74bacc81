package im.zonda.plugin;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Something that has happened at a host. Later versions may have more kinds: a listener has a
/// `default` for those.
@Stable(since = "1.0")
public interface PluginEvent {
  /// The domain of the virtual host.
  String host();

  /// When it happened.
  Instant time();

  /// A client has logged in and bound a session.
  ///
  /// @param session the full address
  record SessionStarted(String host, Instant time, Jid session) implements PluginEvent {}

  /// A session has ended: its client has left, or did not come back in time.
  ///
  /// @param session the full address
  record SessionEnded(String host, Instant time, Jid session) implements PluginEvent {}

  /// A client has broadcast presence, available or unavailable; or its session has ended while it
  /// was available, and the server has broadcast for it that it is unavailable.
  record PresenceChanged(String host, Instant time, Presence presence) implements PluginEvent {}

  /// A client of the host has sent a message, which was accepted. Messages to rooms are among them.
  record MessageSent(String host, Instant time, Message message) implements PluginEvent {}

  /// A message for an account of the host was delivered or stored.
  ///
  /// @param sessions to how many sessions it was delivered; 0 if it was only stored or ignored
  record MessageDelivered(String host, Instant time, Message message, int sessions)
      implements PluginEvent {}

  /// A room was created, or a removed one was restored.
  ///
  /// @param room its bare address
  /// @param by the bare address of the creator; the domain of the host if it or an administrator of
  ///   it has done that
  record RoomCreated(String host, Instant time, Jid room, Jid by) implements PluginEvent {}

  /// A room was removed.
  record RoomRemoved(String host, Instant time, Jid room) implements PluginEvent {}

  /// Someone has entered a room.
  ///
  /// @param occupant the address in the room, with the nickname
  /// @param user the true full address
  record RoomEntered(String host, Instant time, Jid occupant, Jid user) implements PluginEvent {}

  /// Someone has left a room, or was removed from it.
  ///
  /// @param occupant the address in the room, with the nickname
  /// @param user the true full address
  record RoomLeft(String host, Instant time, Jid occupant, Jid user) implements PluginEvent {}

  /// A message was sent in a room to all occupants.
  ///
  /// @param message as the occupants get it, without an address in `to`
  /// @param user the true address of the sender; null if the room itself has sent it
  record RoomMessage(String host, Instant time, Message message, @Nullable Jid user)
      implements PluginEvent {}
}
