package im.zonda.module;

/// Where on its way a stanza passes the filters.
public enum HookPoint {
  /// At the sender's home, `from` stamped, before it is routed.
  SENT_BY_CLIENT,
  /// At the receiver's home, before it is delivered or stored.
  ARRIVING
}
