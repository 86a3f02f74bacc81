package im.zonda.cluster;

import java.util.List;
import java.util.Map;

/// The row of the database that says which processes are the cluster.
///
/// @param epoch grows by one with each change of the members
/// @param members the legal members
/// @param incarnations the highest incarnation of each node that ever was a member
/// @param renewals grows while members live; it is not part of the comparison when the row is
///   changed
public record ClusterRow(
    long epoch, List<Member> members, Map<String, Long> incarnations, long renewals) {
  /// The row of a cluster that has never run.
  public static final ClusterRow EMPTY = new ClusterRow(0, List.of(), Map.of(), 0);

  /// Copies the collections.
  public ClusterRow {
    members = List.copyOf(members);
    incarnations = Map.copyOf(incarnations);
  }
}
