package im.zonda.app.cluster;

import im.zonda.app.control.ControlCommand;
import im.zonda.cluster.Member;
import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.placement.Placement;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// `zonda cluster status` in the running server.
///
/// @param status what the node knows of its cluster; null without one
public record ClusterCommand(@Nullable Supplier<MembershipStatus> status)
    implements ControlCommand {
  /// The name of the command on the control socket.
  public static final String NAME = "cluster-status";

  @Override
  public String run(List<String> arguments) throws IOException {
    if (status == null) {
      throw new IOException("this server is no node of a cluster: cluster.name is not set");
    }
    return text(status.get());
  }

  /// One line for the node, one for each member.
  static String text(MembershipStatus status) {
    StringBuilder out = new StringBuilder();
    out.append("node ").append(status.self());
    Placement placement = status.placement();
    if (placement == null) {
      return out.append(": waits for a placement\n").toString();
    }
    out.append(": placement ").append(placement.stamp());
    out.append(status.suspended() ? ", members are lost and nothing is decided yet\n" : "\n");
    for (Member member : placement.members()) {
      out.append("  ").append(member);
      out.append(": home of ").append(count(placement, member, false));
      out.append(", standby of ").append(count(placement, member, true)).append(" segments");
      boolean inSight = status.seen() != null && status.seen().members().contains(member);
      out.append(inSight ? "\n" : ", not in sight\n");
    }
    return out.toString();
  }

  private static int count(Placement placement, Member member, boolean standby) {
    int count = 0;
    for (int segment = 0; segment < placement.segments(); segment++) {
      Member owner = standby ? placement.standby(segment) : placement.home(segment);
      count += member.equals(owner) ? 1 : 0;
    }
    return count;
  }
}
