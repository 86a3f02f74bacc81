package im.zonda.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// The row of the database that says which processes are the cluster.
///
/// @param epoch grows by one with each change of the members
/// @param members the legal members
/// @param incarnations the highest incarnation of each node that ever was a member
/// @param renewals grows while members live; it is not part of the comparison when the row is
///   changed
/// @param draining the members that are to have no homes
/// @param frames the version of the frames that the members speak, or [#UNKNOWN_FRAMES]
public record ClusterRow(
    long epoch,
    List<Member> members,
    Map<String, Long> incarnations,
    long renewals,
    Set<Member> draining,
    long frames) {
  /// The row does not say which frames the members speak.
  public static final long UNKNOWN_FRAMES = 0;

  /// The row of a cluster that has never run.
  public static final ClusterRow EMPTY = new ClusterRow(0, List.of(), Map.of(), 0);

  /// Copies the collections.
  public ClusterRow {
    members = List.copyOf(members);
    incarnations = Map.copyOf(incarnations);
    draining = Set.copyOf(draining);
  }

  /// A row of which no member is draining, and that does not say which frames the members speak.
  public ClusterRow(
      long epoch, List<Member> members, Map<String, Long> incarnations, long renewals) {
    this(epoch, members, incarnations, renewals, Set.of(), UNKNOWN_FRAMES);
  }

  /// This row with another number of renewals.
  public ClusterRow withRenewals(long count) {
    return new ClusterRow(epoch, members, incarnations, count, draining, frames);
  }
}
