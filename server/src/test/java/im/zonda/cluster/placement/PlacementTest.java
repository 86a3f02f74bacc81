package im.zonda.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.cluster.Member;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementTest {
  /// What the first version has computed.
  private static final int ROMEO = 60;

  private static final Member A = new Member("a", 1);
  private static final Member B = new Member("b", 2);
  private static final Member C = new Member("c", 3);

  @Test
  void namesAreSpreadOverAllSegments() {
    int[] names = new int[256];
    for (int user = 0; user < 25_600; user++) {
      names[Placement.segmentOf("user" + user + "@example.org", 256)]++;
    }
    assertThat(Arrays.stream(names).min().orElseThrow()).isGreaterThan(50);
    assertThat(Arrays.stream(names).max().orElseThrow()).isLessThan(160);
  }

  @Test
  void theSegmentOfANameNeverChanges() {
    // A cluster whose nodes have different versions agrees on it.
    assertThat(Placement.segmentOf("romeo@example.org", 256)).isEqualTo(ROMEO);
    assertThat(Placement.segmentOf("romeo@example.org", 2)).isEqualTo(ROMEO / 128);
  }

  @Test
  void withoutAStandbyTheMemberAfterTheHomeKeepsTheCopy() {
    Placement placement = new Placement(1, topology(List.of(A, B, C), new Owners(C, null)));
    assertThat(placement.standby(0)).isEqualTo(A);
    assertThat(new Placement(1, topology(List.of(A), new Owners(A, null))).standby(0)).isNull();
    assertThat(new Placement(1, topology(List.of(A, B, C), new Owners(C, B))).standby(0))
        .isEqualTo(B);
  }

  @Test
  void theStandbyIsTheHomeOfWhatAMemberThatDrainsHad() {
    Topology three = topology(List.of(A, B, C), new Owners(A, C));
    Placement placement = new Placement(1, three, Set.of(A));
    assertThat(placement.home(0)).isEqualTo(C);
    assertThat(placement.standby(0)).isEqualTo(B);
    assertThat(placement.isDraining(A)).isTrue();
  }

  @Test
  void aMemberThatDrainsIsStandbyOnlyIfThereIsNoOther() {
    Topology three = topology(List.of(A, B, C), new Owners(A, B));
    assertThat(new Placement(1, three, Set.of(B)).standby(0)).isEqualTo(C);
    Topology two = topology(List.of(A, B), new Owners(A, B));
    assertThat(new Placement(1, two, Set.of(A)).home(0)).isEqualTo(B);
    assertThat(new Placement(1, two, Set.of(A)).standby(0)).isEqualTo(A);
  }

  @Test
  void ifAllMembersDrainNoneDoes() {
    Topology two = topology(List.of(A, B), new Owners(A, B));
    Placement placement = new Placement(1, two, Set.of(A, B));
    assertThat(placement.home(0)).isEqualTo(A);
    assertThat(placement.isDraining(A)).isFalse();
  }

  @Test
  void anEpochIsNewerThanAnyTopology() {
    assertThat(new Stamp(2, 1)).isGreaterThan(new Stamp(1, 99));
    assertThat(new Stamp(1, 2)).isGreaterThan(new Stamp(1, 1));
  }

  @Test
  void theNumberOfSegmentsIsAPowerOfTwo() {
    List<Owners> three = Collections.nCopies(3, new Owners(A, null));
    assertThatThrownBy(() -> new Topology(1, List.of(A), three))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Topology topology(List<Member> members, Owners owners) {
    return new Topology(1, members, Collections.nCopies(256, owners));
  }
}
