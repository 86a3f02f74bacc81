package im.zonda.cluster.epoch;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.placement.Placement;

/// Takes what the epoch puts out.
public interface EpochOutput {
  /// Read the row; the answer is [Epoch#rowRead].
  void readRow();

  /// Replace the row if its epoch is still that one, then read it.
  void compareAndSet(long expected, ClusterRow next);

  /// Add one to the renewals of the row if it has that epoch.
  void renew(long epoch);

  /// The placement is legal.
  void install(Placement placement);

  /// Whether clients are not to be read from, because members are lost and nothing is decided.
  void suspend(boolean suspended);

  /// The process was evicted: all its state is outdated.
  void evicted(ClusterRow row);

  /// This process is no longer a member, as it has asked for.
  void left();
}
