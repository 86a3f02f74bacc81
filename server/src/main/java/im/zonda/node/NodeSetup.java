package im.zonda.node;

import im.zonda.cluster.Member;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/// What a node is started with.
///
/// @param segments a power of two, the same at all nodes for ever
/// @param maxBytes the most bytes of one value
/// @param workers runs what may block, each task on a thread of its own
/// @param clock milliseconds of a clock that only goes forward
/// @param fence what the database must know before homes open
public record NodeSetup(
    Member self,
    int segments,
    int maxBytes,
    NodeTransport transport,
    Executor workers,
    LongSupplier clock,
    PlacementFence fence) {}
