package im.zonda.cluster.handover;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.inbox.Inbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/// When a node takes over what a lost one had.
class TakeOverTest {
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<Boolean> said = new ArrayList<>();
  private final Inbox inbox = new Inbox(work::add, () -> {});
  private long now;
  private final TakeOver takeOver = new TakeOver(inbox, () -> now, said::add);

  private void runWorkers() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private void assertOverWhenTheLastOpens() {
    runWorkers();
    assertThat(said).containsExactly(true);
    takeOver.opened(true);
    runWorkers();
    assertThat(said).containsExactly(true, false);
  }

  @Test
  void nothingIsSaidOfAPlacementInWhichNobodyIsLost() {
    takeOver.installed(false, false);
    takeOver.opened(true);
    runWorkers();
    assertThat(said).isEmpty();
  }

  @Test
  void itIsOverWhenAllSegmentsAreOpen() {
    takeOver.installed(true, false);
    takeOver.opened(false);
    assertOverWhenTheLastOpens();
  }

  @Test
  void itIsOverWhenTheInboxHasCaughtUp() {
    List<Boolean> meanwhile = new ArrayList<>();
    inbox.submit(() -> now += 100); // others are slow
    takeOver.installed(true, true);
    inbox.submit(() -> meanwhile.addAll(said));
    runWorkers();
    assertThat(meanwhile).as("has waited too long").containsExactly(true);
    assertThat(said).as("has not waited").containsExactly(true, false);
  }

  @Test
  void itGoesOnIfAnotherPlacementHasSegmentsWait() {
    takeOver.installed(true, true);
    takeOver.installed(false, false);
    assertOverWhenTheLastOpens();
  }

  @Test
  void itEndsWithTheNode() {
    takeOver.installed(true, false);
    takeOver.end();
    takeOver.end();
    assertThat(said).containsExactly(true, false);
  }
}
