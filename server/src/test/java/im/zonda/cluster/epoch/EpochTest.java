package im.zonda.cluster.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.rule.ProtocolRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EpochTest {
  private static final Member A = new Member("a", 1);
  private static final Member B = new Member("b", 1);
  private static final Member C = new Member("c", 1);
  private static final Map<String, Long> FIRST = Map.of("a", 1L, "b", 1L, "c", 1L);

  private final List<String> out = new ArrayList<>();

  private Epoch epoch(Member self) {
    return new Epoch(self, 1000, new ProtocolRules(), new Recorder());
  }

  private static Topology view(long id, Member... members) {
    return new Topology(id, List.of(members), Collections.nCopies(2, new Owners(members[0], null)));
  }

  private static ClusterRow row(long epoch, long renewals, Member... members) {
    return new ClusterRow(epoch, List.of(members), FIRST, renewals);
  }

  private List<String> taken() {
    List<String> result = List.copyOf(out);
    out.clear();
    return result;
  }

  @Test
  void theFirstNodeBeginsTheCluster() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A));
    epoch.rowRead(ClusterRow.EMPTY, 0);
    epoch.rowRead(row(1, 0, A), 1);
    assertThat(taken()).containsExactly("read", "0->[a.1]", "install 1/1");
  }

  @Test
  void aMajorityGoesOnAtOnce() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A, B));
    epoch.rowRead(row(4, 0, A, B, C), 0);
    assertThat(taken()).containsExactly("read", "suspend true", "4->[a.1, b.1]");
  }

  @Test
  void onlyTheOldestDecides() {
    Epoch epoch = epoch(B);
    epoch.topologyChanged(view(1, A, B));
    epoch.rowRead(row(4, 0, A, B, C), 0);
    assertThat(taken()).containsExactly("read", "suspend true");
  }

  @Test
  void halfOfTheMembersWaitsUntilNobodyRenews() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A));
    epoch.rowRead(row(4, 0, A, B), 0);
    epoch.rowRead(row(4, 1, A, B), 400);
    epoch.rowRead(row(4, 1, A, B), 800);
    epoch.rowRead(row(4, 1, A, B), 1200);
    assertThat(taken()).containsExactly("read", "suspend true");
    epoch.rowRead(row(4, 1, A, B), 1400);
    assertThat(taken()).containsExactly("4->[a.1]");
  }

  /// The row as somebody renews it, read every 200 ms from a time on.
  private static void renewed(Epoch epoch, long from, long until, Member... members) {
    for (long now = from; now <= until; now += 200) {
      epoch.rowRead(row(4, now / 400, members), now);
    }
  }

  @Test
  void whoMissesMostWhileOthersSeeAllGivesWay() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A));
    renewed(epoch, 0, 2000, A, B, C);
    assertThat(taken()).containsExactly("read", "suspend true");
    renewed(epoch, 2200, 2400, A, B, C);
    assertThat(taken()).containsExactly("evicted");
  }

  @Test
  void whoSeesAllInTimeDoesNotGiveWay() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A));
    renewed(epoch, 0, 2000, A, B, C);
    epoch.topologyChanged(view(2, A, B, C));
    epoch.topologyChanged(view(3, A));
    renewed(epoch, 2200, 4200, A, B, C);
    assertThat(taken()).doesNotContain("evicted");
  }

  /// The other members may still evict it.
  @Test
  void whoMissesMostDoesNotGiveWayWhileNobodySeesAll() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A));
    renewed(epoch, 0, 1800, A, B, C);
    long renewals = 1800 / 400;
    for (long now = 2000; now <= 2400; now += 200) {
      epoch.rowRead(row(4, renewals, A, B, C), now);
    }
    renewed(epoch, 2600, 4400, A, B, C);
    assertThat(taken()).containsExactly("read", "suspend true");
  }

  /// The majority evicts the member that sees them, and that they do not see.
  @Test
  void whoSeesMostDoesNotGiveWay() {
    Epoch epoch = epoch(B);
    epoch.topologyChanged(view(1, A, B));
    renewed(epoch, 0, 4000, A, B, C);
    assertThat(taken()).containsExactly("read", "suspend true");
  }

  @Test
  void timeInWhichTheRowCannotBeReadDoesNotCount() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A));
    epoch.rowRead(row(4, 0, A, B), 0);
    epoch.rowRead(row(4, 0, A, B), 5000);
    assertThat(taken()).containsExactly("read", "suspend true");
  }

  @Test
  void aTopologyWithOtherMembersIsNotLegal() {
    Epoch epoch = epoch(B);
    epoch.topologyChanged(view(1, A, B, C));
    epoch.rowRead(row(1, 0, A, B), 0);
    assertThat(taken()).containsExactly("read");
    epoch.rowRead(row(2, 0, A, B, C), 1);
    epoch.topologyChanged(view(2, A, B, C));
    assertThat(taken()).containsExactly("install 2/1", "install 2/2");
  }

  @Test
  void aProcessThatWasEvictedBeginsAgain() {
    Epoch epoch = epoch(C);
    epoch.topologyChanged(view(1, A, B, C));
    epoch.rowRead(row(1, 0, A, B, C), 0);
    taken();
    epoch.rowRead(row(2, 0, A, B), 1);
    assertThat(taken()).containsExactly("evicted");
  }

  @Test
  void aProcessThatWasEvictedWithoutKnowingThatItWasAMemberBeginsAgain() {
    Epoch epoch = epoch(C);
    epoch.topologyChanged(view(1, A, B, C));
    epoch.rowRead(row(2, 0, A, B), 1);
    assertThat(taken()).containsExactly("read", "evicted");
  }

  @Test
  void anEvictedProcessIsNotAdmittedInItsOldIncarnation() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A, B, C));
    epoch.rowRead(row(2, 0, A, B), 0);
    assertThat(taken()).containsExactly("read");
    epoch.topologyChanged(view(2, A, B, new Member("c", 2)));
    epoch.rowRead(row(2, 0, A, B), 1);
    assertThat(taken()).containsExactly("read", "2->[a.1, b.1, c.2]");
  }

  @Test
  void whoSeesAllMembersRenews() {
    Epoch epoch = epoch(B);
    epoch.topologyChanged(view(1, A, B));
    epoch.rowRead(row(1, 0, A, B), 0);
    taken();
    epoch.tick();
    assertThat(taken()).containsExactly("renew 1", "read");
    epoch.topologyChanged(view(2, B));
    taken();
    epoch.tick();
    assertThat(taken()).containsExactly("read");
  }

  @Test
  void aPlannedLeaveIsNoLoss() {
    Epoch epoch = epoch(B);
    epoch.topologyChanged(view(1, A, B));
    epoch.rowRead(row(1, 0, A, B), 0);
    taken();
    epoch.leave();
    epoch.rowRead(row(1, 0, A, B), 1);
    epoch.rowRead(row(2, 0, A), 2);
    assertThat(taken()).containsExactly("read", "1->[a.1]", "left");
  }

  @Test
  void aMemberThatDrainsSaysSoInTheRow() {
    Epoch epoch = epoch(B);
    epoch.topologyChanged(view(1, A, B));
    epoch.rowRead(row(1, 0, A, B), 0);
    epoch.drain(true);
    assertThat(taken()).containsExactly("read", "install 1/1", "read");
    epoch.rowRead(row(1, 0, A, B), 1);
    ClusterRow draining = draining(row(2, 0, A, B), B);
    epoch.rowRead(draining, 2);
    assertThat(taken()).containsExactly("1->[a.1, b.1] without homes [b.1]", "install 2/1");
    epoch.rowRead(draining, 3);
    assertThat(taken()).isEmpty();
    epoch.drain(false);
    epoch.rowRead(draining, 4);
    assertThat(taken()).containsExactly("read", "2->[a.1, b.1]");
  }

  @Test
  void theLastMemberDoesNotDrain() {
    Epoch epoch = epoch(B);
    epoch.topologyChanged(view(1, A, B));
    epoch.drain(true);
    epoch.rowRead(draining(row(1, 0, A, B), A), 0);
    assertThat(taken()).containsExactly("read", "read", "install 1/1");
  }

  @Test
  void aMemberThatIsLostDrainsNoMore() {
    Epoch epoch = epoch(A);
    epoch.topologyChanged(view(1, A, B));
    epoch.rowRead(draining(row(1, 0, A, B, C), B, C), 0);
    assertThat(taken())
        .containsExactly("read", "suspend true", "1->[a.1, b.1] without homes [b.1]");
  }

  private static ClusterRow draining(ClusterRow row, Member... members) {
    return new ClusterRow(
        row.epoch(),
        row.members(),
        row.incarnations(),
        row.renewals(),
        Set.of(members),
        row.frames());
  }

  private final class Recorder implements EpochOutput {
    @Override
    public void readRow() {
      out.add("read");
    }

    @Override
    public void compareAndSet(long expected, ClusterRow next) {
      String draining = next.draining().isEmpty() ? "" : " without homes " + next.draining();
      out.add(expected + "->" + next.members() + draining);
    }

    @Override
    public void renew(long epoch) {
      out.add("renew " + epoch);
    }

    @Override
    public void install(Placement placement) {
      out.add("install " + placement.stamp());
    }

    @Override
    public void suspend(boolean suspended) {
      out.add("suspend " + suspended);
    }

    @Override
    public void evicted(ClusterRow row) {
      out.add("evicted");
    }

    @Override
    public void left() {
      out.add("left");
    }
  }

  /// The member may only stand still, and has sessions that the newcomer has not.
  @Test
  void aNewcomerWithoutAnyMemberWaitsLonger() {
    Epoch epoch = epoch(new Member("d", 1));
    epoch.topologyChanged(view(1, new Member("d", 1)));
    long end = 1000L * Epoch.NEWCOMERS;
    for (long now = 0; now < end; now += 400) {
      epoch.rowRead(row(4, 0, A), now);
    }
    assertThat(taken()).containsExactly("read");
    epoch.rowRead(row(4, 0, A), end);
    assertThat(taken()).containsExactly("4->[d.1]");
  }

  @Test
  void aMemberWhoseNodeHasStartedAgainIsNotWaitedFor() {
    Member again = new Member("a", 2);
    Epoch alone = epoch(again);
    alone.topologyChanged(view(1, again));
    alone.rowRead(row(4, 0, A), 0);
    assertThat(taken()).containsExactly("read", "4->[a.2]");
    Epoch other = epoch(B);
    other.topologyChanged(view(2, B, again));
    other.rowRead(row(4, 0, A, B), 0);
    assertThat(taken()).containsExactly("read", "4->[b.1, a.2]");
  }

  @Test
  void aLowerIncarnationOfANodeReplacesNobody() {
    Epoch epoch = epoch(B);
    epoch.topologyChanged(view(1, B, new Member("a", 0)));
    epoch.rowRead(row(4, 0, A, B), 0);
    assertThat(taken()).containsExactly("read", "suspend true");
  }
}
