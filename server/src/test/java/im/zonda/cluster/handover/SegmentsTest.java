package im.zonda.cluster.handover;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.inbox.Inbox;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The segments of a node.
class SegmentsTest {
  private static final Member SELF = new Member("a", 1);
  private static final Member OTHER = new Member("b", 1);

  /// Whether the segment was here already at each announcement.
  private final List<Boolean> openings = new ArrayList<>();

  private final Segments segments =
      new Segments(
          SELF,
          2,
          () -> 0,
          this::opening,
          new TakeOver(new Inbox(Runnable::run, () -> {}), () -> 0, begun -> {}));

  private void opening() {
    openings.add(segments.isHere(0));
  }

  @Test
  void theOpeningIsAnnouncedWhenAllHaveLetGoAndBeforeItIsHere() {
    List<Owners> owners = List.of(new Owners(SELF, OTHER), new Owners(OTHER, SELF));
    segments.install(
        null, new Placement(1, new Topology(1, List.of(SELF, OTHER), owners)), passed -> {});
    assertThat(segments.end(0, OTHER)).isNull();
    assertThat(openings).isEmpty();
    assertThat(segments.end(0, SELF)).isNotNull();
    assertThat(openings).containsExactly(false);
    assertThat(segments.isHere(0)).isFalse(); // its homes have not been given their state
    assertThat(segments.isComing(0)).isTrue();
    segments.open(0);
    assertThat(segments.isHere(0)).isTrue();
  }

  @Test
  void aSegmentThatIsGatedIsNotCountedAsHere() {
    List<Owners> owners = List.of(new Owners(SELF, null), new Owners(SELF, null));
    segments.install(null, new Placement(1, new Topology(1, List.of(SELF), owners)), passed -> {});
    assertThat(segments.here()).isZero();
    assertThat(segments.gated()).containsExactlyInAnyOrder(0, 1);
    segments.end(0, SELF);
    assertThat(segments.here()).isZero(); // its homes have not been given their state
    segments.open(0);
    assertThat(segments.here()).isEqualTo(1);
    assertThat(segments.gated()).containsExactly(1);
    segments.end(1, SELF);
    segments.open(1);
    assertThat(segments.here()).isEqualTo(2);
    assertThat(segments.gated()).isEmpty();
  }

  /// The node may be evicted at any moment.
  @Test
  void aSegmentThatHasBeenClosedDoesNotOpen() {
    List<Owners> owners = List.of(new Owners(SELF, null), new Owners(SELF, null));
    segments.install(null, new Placement(1, new Topology(1, List.of(SELF), owners)), passed -> {});
    assertThat(segments.end(0, SELF)).isNotNull();
    segments.close();
    segments.open(0);
    assertThat(segments.isHere(0)).isFalse();
  }
}
