package im.zonda.hook;

/// The two points at which a stanza passes filters.
public enum HookPoint {
  /// At the sender's home, after `from` was set and before it is routed.
  SENT_BY_CLIENT,
  /// At the receiver's home, before it is delivered or stored.
  ARRIVING
}
