package im.zonda.cluster.rule;

/// The decisions that let at most one part of a cluster survive a split, as functions of plain
/// values. The simulation replaces one of them at a time and must notice.
public class ProtocolRules {
  /// Whether the rest of a cluster that has lost members may evict them at once.
  ///
  /// @param survivors members of the last legal membership that are still in view
  /// @param before size of the last legal membership
  public boolean isMajority(int survivors, int before) {
    return 2 * survivors > before;
  }

  /// Whether a minority may take the epoch because no other member shows a sign of life.
  ///
  /// @param waited how long the row has not been touched, in milliseconds
  public boolean isAbandoned(long waited, long patience) {
    return waited >= patience;
  }

  /// Whether an evicted process discards its state.
  public boolean restartsWhenEvicted() {
    return true;
  }

  /// Whether the placement of a topology is legal: its members are those of the epoch.
  public boolean isLegal(boolean sameMembers) {
    return sameMembers;
  }
}
