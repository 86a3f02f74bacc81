package im.zonda.cluster.port;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Placement;

/// Fences evicted processes: they can no longer write to the database.
@FunctionalInterface
public interface PlacementFence {
  /// No fence: for tests, whose nodes do not write once they are evicted.
  PlacementFence NONE = (self, placement) -> true;

  /// Returns when only members of the placement can write for a home, and writes of other processes
  /// are committed or have failed for ever. Blocks. Called before homes open, and again after a
  /// failure.
  ///
  /// @param self this process, a member, which writes as such from then on
  /// @return false if that is not certain: the database cannot be reached, or has seen a newer
  ///   placement
  boolean raise(Member self, Placement placement);
}
