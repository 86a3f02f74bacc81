package im.zonda.plugin;

/// Where a stanza passes filters.
@Stable(since = "1.0")
public enum FilterPoint {
  /// At the account of the sender, after `from` was set and before the stanza is routed.
  SENT,
  /// At the account of the receiver, before the stanza is delivered or stored.
  ARRIVING,
  /// In a room of a host, before a message is in its history and sent to the occupants: messages of
  /// the type groupchat from occupants, whatever server they are from.
  ROOM
}
