package im.zonda.host;

import im.zonda.cluster.Member;
import im.zonda.edge.core.HomeProcesses;
import im.zonda.jid.Jid;
import im.zonda.node.Nodes;
import org.jspecify.annotations.Nullable;

/// The members of a cluster, as the processes that have the homes of sessions.
///
/// @param nodes the cluster as this node sees it
record MemberProcesses(Nodes nodes) implements HomeProcesses {
  @Override
  public @Nullable String of(Jid account) {
    Member home = nodes.homeOf(account);
    return home == null ? null : home.toString();
  }

  @Override
  public boolean isRunning(String process) {
    return nodes.isMember(process);
  }
}
