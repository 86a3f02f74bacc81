package im.zonda.journal;

import java.util.Locale;

/// Part of the server that has decided on a stanza.
public enum Place {
  /// The stream of the client that has sent it.
  STREAM,
  /// A filter of what clients send, at the sender's home.
  SENT_FILTER,
  /// The look-up of a domain.
  ROUTE,
  /// The way to another node of the cluster.
  NODE,
  /// The home of the receiver.
  HOME,
  /// A filter of what arrives, at the receiver's home.
  ARRIVING_FILTER,
  /// The message log.
  LOG,
  /// A session of the receiver.
  SESSION,
  /// A room.
  ROOM,
  /// The notification of a push service.
  PUSH,
  /// The queue for another server, and the other server.
  REMOTE,
  /// The queue for an external component.
  COMPONENT;

  /// The word for people and programs, such as `sent-filter`.
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
