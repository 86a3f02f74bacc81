package im.zonda.app.cluster;

import im.zonda.app.status.ServerStatus;
import im.zonda.app.status.Standing;
import im.zonda.cluster.Member;
import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.node.NodeStatus;
import im.zonda.cluster.placement.Placement;
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
  /// One line for the node, one for what it does, one for each member.
  String text() {
    StringBuilder out = new StringBuilder();
    out.append("node ").append(membership.self());
    Placement placement = membership.placement();
    if (placement == null) {
      return out.append(": waits for a placement\n").toString();
    }
    out.append(": placement ").append(placement.stamp());
    out.append(membership.suspended() ? ", members are lost and nothing is decided yet\n" : "\n");
    out.append("  here: ").append(progress()).append('\n');
    for (Member member : placement.members()) {
      out.append("  ").append(member);
      out.append(": home of ").append(count(placement, member, Placement::home));
      out.append(", standby of ").append(count(placement, member, Placement::standby));
      out.append(" segments");
      out.append(placement.isDraining(member) ? ", draining" : "");
      boolean inSight = membership.seen() != null && membership.seen().members().contains(member);
      out.append(inSight ? "\n" : ", not in sight\n");
    }
    return out.toString();
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
