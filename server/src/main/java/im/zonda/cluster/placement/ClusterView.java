package im.zonda.cluster.placement;

import im.zonda.cluster.Locality;
import im.zonda.cluster.Member;
import im.zonda.jid.Jid;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The nodes of the cluster, and which of them is the home of an address, as this node knows it.
/// Any thread may call.
public interface ClusterView extends Locality {
  /// A server without a cluster: everything is here.
  ClusterView NONE =
      new ClusterView() {
        @Override
        public boolean isHere(Jid home) {
          return true;
        }

        @Override
        public @Nullable Member homeOf(Jid home) {
          return null;
        }

        @Override
        public @Nullable Member self() {
          return null;
        }
      };

  /// The node of a home; null without a cluster, and while this node has no placement.
  @Nullable Member homeOf(Jid home);

  /// This node; null without a cluster, and while the node is no member of it.
  @Nullable Member self();

  /// The number of the membership that this node knows, which grows with each change; 0 without a
  /// cluster.
  default long epoch() {
    return 0;
  }

  /// All nodes, this one too; empty without a cluster, and while this node has no placement.
  default Set<Member> members() {
    return Set.of();
  }

  /// The members but this node.
  default Set<Member> othersOf(Set<Member> members) {
    Member self = self();
    return members.stream()
        .filter(each -> !each.equals(self))
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Whether a process is a member, by the text of its [Member]. True of all while this node has no
  /// placement.
  default boolean isMember(String process) {
    Set<Member> members = members();
    return members.isEmpty()
        || members.stream().anyMatch(member -> member.toString().equals(process));
  }
}
