package im.zonda.link.keeper;

/// The phase that a [SessionKeeper] is in.
enum KeeperPhase {
  /// The client has not asked for a session, or its request was rejected.
  NONE,
  /// The request for the session is to be sent again, by the client's request or the keeper's.
  WAITING,
  /// The client's request is on its way.
  ASKED,
  /// The keeper's request to resume is on its way.
  RESUMING,
  ATTACHED
}
