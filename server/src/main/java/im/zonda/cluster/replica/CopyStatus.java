package im.zonda.cluster.replica;

/// The state of the replication from this node.
///
/// @param parts the number of parts of the state of homes
/// @param settled whether all of them have been confirmed
public record CopyStatus(int parts, boolean settled) {}
