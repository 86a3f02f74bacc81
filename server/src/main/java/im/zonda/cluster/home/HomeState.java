package im.zonda.cluster.home;

/// What a node is for a segment.
public enum HomeState {
  /// Another member is the home.
  FOREIGN,
  /// Another member is to become the home; this one still has all sessions, as copies.
  SEALED,
  /// This member is to become the home and collects the copies of all members. What arrives waits.
  GATED,
  /// This member is the home.
  OWN
}
