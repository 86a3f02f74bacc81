package im.zonda.home.recovery;

/// The ports by which homes replicate their sessions to other nodes and recover those of lost
/// nodes.
///
/// @param replication replicates sessions
/// @param formerHomes the former homes of sessions
/// @param heldStanzas the stanzas for sessions that may still be recovered
public record Recovery(
    SessionReplication replication, FormerHomes formerHomes, HeldStanzas heldStanzas) {
  /// A server without a cluster.
  public static final Recovery NONE =
      new Recovery(SessionReplication.NONE, FormerHomes.NONE, HeldStanzas.NONE);
}
