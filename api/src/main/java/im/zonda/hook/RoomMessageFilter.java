package im.zonda.hook;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;

/// Filters the messages of the type `groupchat` that occupants send to the rooms of a host
/// (XEP-0045, section 7.4), whatever server they are from: what is said, corrections, reactions,
/// retractions, and changes of the subject. Not messages of the room itself, and not private
/// messages, which pass the filters of the sender's and the receiver's home ([MessageFilter]).
///
/// Asked at the home of the room, once the room has accepted the message and before the message
/// gets its place in the history and the archive. Must not block, unless it says so.
@FunctionalInterface
public interface RoomMessageFilter {
  /// Decides on a message. One that is replaced keeps its addresses, its `id` and its `origin-id`
  /// (XEP-0359), and a change of the subject stays one. May be asked again for a message that the
  /// former home of the room has stored, when the node of that home has died.
  ///
  /// @param message from the true address of the occupant, to the room
  /// @param room the bare address of the room
  /// @return neither [Verdict.Keep] nor [Verdict.Each]
  Verdict filter(Message message, Jid room);

  /// Whether [#filter] may block or take long. If so, every message to a room of this host is
  /// handled on a thread of its own, in order. Always the same.
  default boolean mayBlock() {
    return false;
  }
}
