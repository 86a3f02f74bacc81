package im.zonda.app.cluster;

import im.zonda.app.cluster.ClusterOperations.Differing;
import im.zonda.app.cluster.ClusterOperations.Seen;
import im.zonda.app.cluster.ClusterOperations.Shown;

/// The cluster as text for a terminal: one line for the node, one for what it does, one for each
/// member, and a warning for each node whose configuration differs.
public final class ClusterText {
  private ClusterText() {}

  /// The lines.
  public static String of(Shown shown) {
    StringBuilder out = new StringBuilder();
    out.append("node ").append(shown.node());
    if (shown.placement() == null) {
      out.append(": waits for a placement\n");
    } else {
      out.append(": placement ").append(shown.placement());
      out.append(shown.suspended() ? ", members are lost and nothing is decided yet\n" : "\n");
      out.append("  here: ").append(shown.activity()).append('\n');
      shown.members().forEach(each -> member(each, out));
    }
    for (Differing each : shown.differing()) {
      out.append("warning: ").append(each.node()).append(" has other settings: ");
      out.append(String.join(", ", each.settings())).append("; each node reads its own files\n");
    }
    return out.toString();
  }

  private static void member(Seen member, StringBuilder out) {
    out.append("  ").append(member.node());
    out.append(": home of ").append(member.home());
    out.append(", standby of ").append(member.standby());
    out.append(" segments");
    out.append(member.draining() ? ", draining" : "");
    out.append(member.inSight() ? "\n" : ", not in sight\n");
  }
}
