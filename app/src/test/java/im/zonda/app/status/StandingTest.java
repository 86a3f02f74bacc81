package im.zonda.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StandingTest {
  private static final Member SELF = new Member("a", 1);
  private static final Member OTHER = new Member("b", 1);

  private static Standing of(@Nullable Placement placement, boolean suspended) {
    return Standing.of(new MembershipStatus(SELF, placement, null, ClusterRow.EMPTY, suspended));
  }

  private static Placement placement(Set<Member> draining, Member... members) {
    Owners owners = new Owners(members[0], members.length > 1 ? members[1] : null);
    return new Placement(1, new Topology(1, List.of(members), List.of(owners, owners)), draining);
  }

  @Test
  void aNodeInThePlacementIsAMember() {
    assertThat(of(placement(Set.of(), SELF, OTHER), false)).isEqualTo(Standing.MEMBER);
    assertThat(of(placement(Set.of(OTHER), SELF, OTHER), false)).isEqualTo(Standing.MEMBER);
  }

  @Test
  void aNodeThatGivesItsHomesAwayIsDraining() {
    assertThat(of(placement(Set.of(SELF), SELF, OTHER), false)).isEqualTo(Standing.DRAINING);
  }

  @Test
  void aNodeWithoutADecisionWaits() {
    assertThat(of(null, false)).isEqualTo(Standing.WAITING);
    assertThat(of(placement(Set.of(), SELF, OTHER), true)).isEqualTo(Standing.WAITING);
    assertThat(of(placement(Set.of(), OTHER), false)).isEqualTo(Standing.WAITING);
  }
}
