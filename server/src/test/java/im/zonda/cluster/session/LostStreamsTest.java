package im.zonda.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.handover.Segments;
import im.zonda.cluster.handover.TakeOver;
import im.zonda.cluster.inbox.Inbox;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.NodeSetup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/// When sessions are notified that the node of their streams is gone.
class LostStreamsTest {
  private static final Member SELF = new Member("a", 1);
  private static final Member OTHER = new Member("b", 1);

  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<Integer> notified = new ArrayList<>();
  private boolean stopping;
  private long now;
  private final Inbox inbox = new Inbox(this::work, () -> {});
  private final Segments segments =
      new Segments(SELF, 2, () -> now, () -> {}, new TakeOver(inbox, () -> now, begun -> {}));
  private final LostStreams lost =
      new LostStreams(
          new NodeSetup(SELF, 2, 1 << 16, (_, _, _) -> {}, this::work, () -> now, (_, _) -> true),
          segments,
          inbox);

  private void work(Runnable task) {
    if (stopping) {
      throw new RejectedExecutionException("stopping");
    }
    work.add(task);
  }

  private void runWorkers() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  /// All homes are here, open but for the second segment.
  private void takeOver() {
    Placement before =
        new Placement(
            1,
            new Topology(
                1,
                List.of(SELF, OTHER),
                List.of(new Owners(SELF, OTHER), new Owners(OTHER, SELF))));
    List<Owners> owners = List.of(new Owners(SELF, null), new Owners(SELF, null));
    segments.install(before, new Placement(2, new Topology(2, List.of(SELF), owners)), _ -> {});
    open(0);
  }

  private void open(int segment) {
    segments.end(segment, SELF);
    segments.open(segment);
  }

  private void lose(int sessions) {
    for (int i = 0; i < sessions; i++) {
      int session = i;
      lost.add("user@a.test", _ -> notified.add(session));
    }
  }

  @Test
  void sessionsAreNotifiedWhenAllHomesAreOpen() {
    takeOver();
    lose(2);
    lost.tick();
    runWorkers();
    assertThat(notified).isEmpty();
    open(1);
    runWorkers();
    lost.tick();
    assertThat(notified).containsExactly(0, 1);
  }

  @Test
  void sessionsAreNotifiedInTheEndHoweverLongHomesAreTakenOver() {
    takeOver();
    lose(1);
    now += LostStreams.LONGEST - 1;
    lost.tick();
    assertThat(notified).isEmpty();
    now++;
    lost.tick();
    assertThat(notified).containsExactly(0);
  }

  @Test
  void aPortionWaitsForTheWorkThatWasSubmittedBefore() {
    lose(LostStreams.PORTION + 1);
    work(() -> assertThat(notified).hasSize(LostStreams.PORTION));
    lost.tick();
    lost.tick();
    assertThat(notified).hasSize(LostStreams.PORTION);
    runWorkers();
    assertThat(notified).hasSize(LostStreams.PORTION + 1);
  }

  @Test
  void aSessionWhoseHomeHasLeftIsNotNotified() {
    lose(1);
    lost.homesMoved(); // no segment is here
    lost.tick();
    assertThat(notified).isEmpty();
  }

  @Test
  void theRestIsLeftIfTheServerStops() {
    lose(LostStreams.PORTION + 1);
    stopping = true;
    lost.tick();
    assertThat(notified).hasSize(LostStreams.PORTION);
  }
}
