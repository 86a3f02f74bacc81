package im.zonda.cluster.port;

import im.zonda.cluster.Member;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/// The settings and collaborators of a node.
///
/// @param segments a power of two, which never changes and is the same at all nodes
/// @param maxBytes the most bytes of one value
/// @param workers runs what may block, each task on a thread of its own
/// @param clock milliseconds of a clock that only goes forward
/// @param fence fences processes outside the placement, before homes open
public record NodeSetup(
    Member self,
    int segments,
    int maxBytes,
    NodeTransport transport,
    Executor workers,
    LongSupplier clock,
    PlacementFence fence) {}
