package im.zonda.cluster.membership;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import org.jspecify.annotations.Nullable;

/// The state of the cluster as one process knows it.
///
/// @param self this incarnation
/// @param placement the placement in which it acts; null before the first
/// @param seen the last table of the engine; null before the first
/// @param row the row as last read
/// @param suspended whether members are lost and nothing is decided
public record MembershipStatus(
    Member self,
    @Nullable Placement placement,
    @Nullable Topology seen,
    ClusterRow row,
    boolean suspended) {}
