package im.zonda.app.alarm;

import im.zonda.app.cluster.Drain;
import im.zonda.app.cluster.MemberOperations;
import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.placement.Placement;
import im.zonda.operation.cluster.RoundTrips;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Facts about the cluster, as one node knows them, that may be worth an alarm.
///
/// @param missing the names of nodes that are gone and have not left
/// @param decided whether this node acts in a placement and no member is lost
/// @param parts the number of segments
/// @param withoutCopy how many of them no other node could take with their state, though there are
///   others
/// @param awaited how long an answer of each other node has been awaited
public record ClusterFacts(
    List<String> missing,
    boolean decided,
    int parts,
    int withoutCopy,
    Map<String, Duration> awaited) {
  /// Copies the collections.
  public ClusterFacts {
    missing = List.copyOf(missing);
    awaited = Map.copyOf(awaited);
  }

  /// Reads them. Blocks.
  public static ClusterFacts of(Drain drain, SortedMap<String, RoundTrips.Trip> trips) {
    List<String> missing = MemberOperations.Absent.of(drain).names();
    MembershipStatus status = drain.status().membership();
    Placement placement = status.placement();
    Map<String, Duration> awaited = new TreeMap<>();
    trips.forEach((node, trip) -> awaited.put(node, trip.waiting()));
    return new ClusterFacts(
        missing,
        placement != null && !status.suspended(),
        placement == null ? 0 : placement.segments(),
        placement == null ? 0 : withoutCopy(placement, missing),
        awaited);
  }

  /// A node that is alone because the others have left in order, or have not come yet, lacks
  /// nothing.
  private static int withoutCopy(Placement placement, List<String> missing) {
    if (placement.members().size() < 2 && missing.isEmpty()) {
      return 0;
    }
    int count = 0;
    for (int segment = 0; segment < placement.segments(); segment++) {
      count += placement.standby(segment) == null ? 1 : 0;
    }
    return count;
  }
}
