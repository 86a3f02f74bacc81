package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Placement;

/// Keeps processes that the cluster has gone on without from writing to the database.
@FunctionalInterface
public interface PlacementFence {
  /// Nothing keeps them from it: in tests, whose nodes do not write once they are excluded.
  PlacementFence NONE = (self, placement) -> true;

  /// Returns when no process but the members of the placement can write for a home any more, and
  /// what others have been writing is committed or will never be. Blocks. Called before homes open,
  /// again after a failure.
  ///
  /// @param self this process, a member, which writes as such from then on
  /// @return false if that is not certain: the database cannot be reached, or has seen a newer
  ///   placement
  boolean raise(Member self, Placement placement);
}
