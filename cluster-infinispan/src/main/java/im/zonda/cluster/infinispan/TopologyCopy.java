package im.zonda.cluster.infinispan;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.infinispan.distribution.DistributionInfo;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.remoting.transport.Address;
import org.jgroups.View;
import org.jgroups.util.ExtendedUUID;
import org.jspecify.annotations.Nullable;

/// Copies tables of Infinispan. Confined to its caller.
final class TopologyCopy {
  /// The members of addresses in the last view and the last table.
  private Map<Address, Member> known = new HashMap<>();

  /// The table as a value; null if it is none yet, or has processes that this one has not seen in a
  /// view: another one follows.
  ///
  /// @param view the channel's view, at least as new as the table
  @Nullable Topology copy(LocalizedCacheTopology table, View view) {
    for (org.jgroups.Address address : view.getMembers()) {
      Member member = MemberAddress.memberOf(address);
      if (member != null && address instanceof ExtendedUUID extended) {
        known.put(Address.fromExtendedUUID(extended), member);
      }
    }
    List<Member> members = new ArrayList<>();
    for (Address address : table.getActualMembers()) {
      Member member = known.get(address);
      if (member == null) {
        return null;
      }
      members.add(member);
    }
    if (members.isEmpty()) {
      return null;
    }
    List<Owners> owners = new ArrayList<>(table.getNumSegments());
    for (int segment = 0; segment < table.getNumSegments(); segment++) {
      owners.add(owners(table.getSegmentDistribution(segment), members));
    }
    forgetOthers(table, view);
    return new Topology(table.getTopologyId(), members, owners);
  }

  /// The owners among the members. In each phase of a rebalance the home is the first that reads
  /// are sent to: it changes once the next one has what the engine keeps.
  private Owners owners(DistributionInfo segment, List<Member> members) {
    List<Member> living = new ArrayList<>();
    for (Address address : segment.readOwners()) {
      Member owner = known.get(address);
      if (owner != null && members.contains(owner)) {
        living.add(owner);
      }
    }
    // A segment without a living owner goes to the same member everywhere.
    Member home = living.isEmpty() ? members.getFirst() : living.getFirst();
    return new Owners(home, living.size() > 1 ? living.get(1) : null);
  }

  private void forgetOthers(LocalizedCacheTopology table, View view) {
    Map<Address, Member> needed = new HashMap<>();
    known.forEach((address, member) -> {
      boolean inView =
          view.containsMember(
              new org.jgroups.util.UUID(
                  address.getMostSignificantBits(), address.getLeastSignificantBits()));
      if (inView || table.getActualMembers().contains(address)) {
        needed.put(address, member);
      }
    });
    known = needed;
  }
}
