package im.zonda.app.cluster;

import im.zonda.app.cluster.ClusterOperations.Seen;
import im.zonda.app.status.ServerStatus;
import im.zonda.app.status.Standing;
import im.zonda.cluster.Member;
import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.node.NodeStatus;
import im.zonda.cluster.placement.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The cluster as one node sees it, and what that node does in it.
///
/// @param membership the members
/// @param activity what the node does for its homes
/// @param phase how far the node is drained
/// @param connections the connections of the node
/// @param placements the placements in which it has acted since its start
public record ClusterStatus(
    MembershipStatus membership,
    NodeStatus activity,
    Drain.Phase phase,
    long connections,
    long placements) {
  /// The name and the incarnation of the node.
  String node() {
    return membership.self().toString();
  }

  /// The version of the placement in which it acts; null before the first.
  @Nullable String placement() {
    Placement placement = membership.placement();
    return placement == null ? null : placement.stamp().toString();
  }

  /// The members of the placement.
  List<Seen> members() {
    Placement placement = membership.placement();
    if (placement == null) {
      return List.of();
    }
    List<Seen> members = new ArrayList<>();
    for (Member member : placement.members()) {
      members.add(
          new Seen(
              member.toString(),
              count(placement, member, Placement::home),
              count(placement, member, Placement::standby),
              placement.isDraining(member),
              membership.seen() != null && membership.seen().members().contains(member)));
    }
    return members;
  }

  /// What the node does, in one line.
  String progress() {
    StringBuilder out = new StringBuilder();
    if (phase != Drain.Phase.NONE) {
      out.append(phase).append("; ");
    }
    out.append(activity.segments()).append(" segments, ");
    out.append(activity.arriving()).append(" arriving, ");
    out.append(activity.leaving() + activity.moved()).append(" leaving; ");
    out.append(connections).append(" connections; ");
    out.append(activity.forwarded()).append(" stanzas on their way to other nodes, ");
    out.append(waiting()).append(" values not confirmed");
    return out.toString();
  }

  /// The part of it that `zonda status` prints.
  public ServerStatus.Cluster brief() {
    Placement placement = membership.placement();
    return new ServerStatus.Cluster(
        membership.self().toString(),
        state(),
        placement == null ? "" : placement.stamp().toString(),
        placements,
        placement == null ? 0 : placement.members().size(),
        activity.segments(),
        activity.arriving() + activity.leaving() + activity.moved(),
        activity.forwarded(),
        waiting());
  }

  private String state() {
    return switch (Standing.of(membership)) {
      case WAITING -> "waiting";
      case DRAINING -> phase == Drain.Phase.DRAINED ? "drained" : "draining";
      case MEMBER -> "member";
    };
  }

  private long waiting() {
    return activity.waiting().values().stream().mapToLong(Integer::longValue).sum();
  }

  private static int count(
      Placement placement, Member member, BiFunction<Placement, Integer, @Nullable Member> owner) {
    int count = 0;
    for (int segment = 0; segment < placement.segments(); segment++) {
      count += member.equals(owner.apply(placement, segment)) ? 1 : 0;
    }
    return count;
  }
}
