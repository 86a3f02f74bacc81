package im.zonda.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeClockTest {
  private final Instant start = Instant.parse("2026-03-01T12:00:00Z");
  private final FakeClock clock = new FakeClock(start);
  private final List<String> ran = new ArrayList<>();

  @Test
  void standsStillUntilItIsMoved() {
    assertThat(clock.instant()).isEqualTo(start);
    clock.advance(Duration.ofSeconds(3));
    assertThat(clock.instant()).isEqualTo(start.plusSeconds(3));
  }

  @Test
  void runsWhatBecomesDueInTheOrderOfTimesEachAtItsTime() {
    clock.schedule(Duration.ofSeconds(2), () -> ran.add("b at " + clock.instant()));
    clock.schedule(Duration.ofSeconds(1), () -> ran.add("a at " + clock.instant()));
    clock.schedule(Duration.ofSeconds(9), () -> ran.add("late"));

    clock.advance(Duration.ofSeconds(5));

    assertThat(ran).containsExactly("a at 2026-03-01T12:00:01Z", "b at 2026-03-01T12:00:02Z");
    assertThat(clock.pending()).isEqualTo(1);
  }

  @Test
  void runsWhatATaskSchedulesInTheSameStep() {
    clock.schedule(
        Duration.ofSeconds(1),
        () -> clock.schedule(Duration.ofSeconds(1), () -> ran.add("inner at " + clock.instant())));

    clock.advance(Duration.ofSeconds(2));

    assertThat(ran).containsExactly("inner at 2026-03-01T12:00:02Z");
  }

  @Test
  void aCancelledTaskDoesNotRun() {
    clock.schedule(Duration.ofSeconds(1), () -> ran.add("never")).cancel();

    clock.advance(Duration.ofDays(1));

    assertThat(ran).isEmpty();
  }

  @Test
  void refusesToGoBack() {
    assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> clock.schedule(Duration.ofSeconds(-1), () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void identifiersFollowFromTheSeed() {
    SeededIds first = new SeededIds(7);
    SeededIds same = new SeededIds(7);

    String id = first.next();

    assertThat(id).hasSize(32).isEqualTo(same.next());
    assertThat(first.next()).isNotEqualTo(id).isEqualTo(same.next());
    assertThat(new SeededIds(8).next()).isNotEqualTo(id);
  }
}
