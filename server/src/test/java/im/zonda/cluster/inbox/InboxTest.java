package im.zonda.cluster.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxTest {
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final Inbox inbox = new Inbox(work::add, () -> done.add("left"));

  private void runWorkers() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private Runnable task(String name) {
    return () -> done.add(name);
  }

  @Test
  void aTaskRunsAtOnceIfNothingWaits() {
    inbox.runAlone(task("own"));
    assertThat(done).containsExactly("own", "left");
    assertThat(work).isEmpty();
  }

  @Test
  void aTaskWaitsInItsPlaceForThoseThatWereThereBefore() {
    inbox.submit(task("first"));
    inbox.runAlone(task("second"));
    assertThat(done).isEmpty();
    runWorkers();
    assertThat(done).containsExactly("first", "second", "left");
  }

  @Test
  void whatOthersHaveBroughtMeanwhileIsLeftToAWorker() {
    inbox.runAlone(() -> {
      inbox.runAlone(task("meanwhile"));
      done.add("own");
    });
    assertThat(done).as("does not wait for the worker").containsExactly("own", "left");
    runWorkers();
    assertThat(done).containsExactly("own", "left", "meanwhile", "left");
  }

  @Test
  void whatSeveralTasksSendLeavesTogether() {
    inbox.run(List.of(task("first"), task("second")));
    assertThat(done).containsExactly("first", "second", "left");
  }

  @Test
  void noTasksAreNothing() {
    inbox.run(List.of());
    inbox.run(List.of(task("next")));
    assertThat(done).containsExactly("next", "left");
  }

  @Test
  void ofManyTasksSomeAreDoneAndLeaveBeforeAWorkerTakesTheRest() {
    inbox.run(Collections.nCopies(130, task("one")));
    assertThat(done).hasSize(65).last().isEqualTo("left");
    runWorkers();
    assertThat(done.stream().filter("left"::equals)).hasSize(3);
    assertThat(done).hasSize(133).last().isEqualTo("left");
  }

  @Test
  void aTaskThatFailsDoesNotStopTheInbox() {
    inbox.runAlone(() -> {
      throw new IllegalStateException("expected by the test");
    });
    inbox.runAlone(task("next"));
    assertThat(done).containsExactly("left", "next", "left");
  }
}
