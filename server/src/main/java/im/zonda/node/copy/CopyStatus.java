package im.zonda.node.copy;

/// What this node has other nodes keep for it.
///
/// @param parts parts of the state of homes
/// @param settled whether all of them have been confirmed
public record CopyStatus(int parts, boolean settled) {}
