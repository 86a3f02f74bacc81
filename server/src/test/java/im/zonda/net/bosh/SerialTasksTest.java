package im.zonda.net.bosh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class SerialTasksTest {
  private final List<String> events = new ArrayList<>();
  private final Queue<Runnable> runs = new ArrayDeque<>();
  private final SerialTasks tasks =
      new SerialTasks(
          runs::add, () -> events.add("end"), failure -> events.add(failure.getMessage()));

  @Test
  void whatWaitsIsOneTurn() {
    tasks.execute(() -> events.add("a"));
    tasks.execute(() -> {
      events.add("b");
      tasks.execute(() -> events.add("c"));
    });
    assertThat(runs).hasSize(1);
    runs.remove().run();
    assertThat(events).containsExactly("a", "b", "c", "end");
    assertThat(runs).isEmpty();
  }

  @Test
  void aTaskThatFailsCostsNoOtherTask() {
    tasks.execute(() -> {
      throw new IllegalStateException("failed");
    });
    tasks.execute(() -> events.add("a"));
    runs.remove().run();
    assertThat(events).containsExactly("failed", "a", "end");
  }

  @Test
  void longTurnsAreCut() {
    for (int i = 0; i < 300; i++) {
      tasks.execute(() -> {});
    }
    runs.remove().run();
    assertThat(events).containsExactly("end");
    runs.remove().run();
    assertThat(events).containsExactly("end", "end");
  }
}
