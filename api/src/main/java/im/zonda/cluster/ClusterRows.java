package im.zonda.cluster;

/// Port to the row of a cluster. All processes of the cluster use the same row. Calls block for a
/// short time, which the implementation bounds; they throw a [im.zonda.store.StoreException] if the
/// database does not answer in that time. Safe for use by several threads.
public interface ClusterRows {
  /// The row; [ClusterRow#EMPTY] for a cluster that has never run.
  ClusterRow read();

  /// Replaces the row, but not its renewals, if its epoch is still that one.
  ///
  /// @return whether it was replaced; false also after a failure of the connection whose outcome is
  ///   not known, so that only [#read] says who has won
  boolean compareAndSet(long expected, ClusterRow next);

  /// Adds one to the renewals if the row has that epoch. Does nothing for a cluster that has never
  /// run.
  void renew(long epoch);
}
