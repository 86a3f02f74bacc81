package im.zonda.host;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.edge.core.HomeProcesses;
import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// The members of a cluster, as the processes that have the homes of sessions.
///
/// @param view the cluster as this node sees it
record MemberProcesses(ClusterView view) implements HomeProcesses {
  @Override
  public @Nullable String of(Jid account) {
    Member home = view.homeOf(account);
    return home == null ? null : home.toString();
  }

  @Override
  public boolean isRunning(String process) {
    return view.isMember(process);
  }
}
