package im.zonda.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxTest {
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final Inbox inbox = new Inbox(work::add);

  private void runWorkers() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  @Test
  void aTaskRunsAtOnceIfNothingWaits() {
    inbox.runAlone(() -> done.add("own"));
    assertThat(done).containsExactly("own");
    assertThat(work).isEmpty();
  }

  @Test
  void aTaskWaitsInItsPlaceForThoseThatWereThereBefore() {
    inbox.submit(() -> done.add("first"));
    inbox.runAlone(() -> done.add("second"));
    assertThat(done).isEmpty();
    runWorkers();
    assertThat(done).containsExactly("first", "second");
  }

  @Test
  void whatOthersHaveBroughtMeanwhileIsLeftToAWorker() {
    inbox.runAlone(() -> {
      inbox.runAlone(() -> done.add("meanwhile"));
      done.add("own");
    });
    assertThat(done).containsExactly("own");
    runWorkers();
    assertThat(done).containsExactly("own", "meanwhile");
  }

  @Test
  void aTaskThatFailsDoesNotStopTheInbox() {
    inbox.runAlone(() -> {
      throw new IllegalStateException("expected by the test");
    });
    inbox.runAlone(() -> done.add("next"));
    assertThat(done).containsExactly("next");
  }
}
