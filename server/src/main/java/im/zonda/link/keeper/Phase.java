package im.zonda.link.keeper;

/// What a [SessionKeeper] waits for.
enum Phase {
  /// The client has not asked for a session, or has been refused.
  NONE,
  /// The client, or the keeper for it, has to ask for the session.
  WAITING,
  /// The client's request is on its way.
  ASKED,
  /// The keeper's request to resume is on its way.
  RESUMING,
  ATTACHED
}
