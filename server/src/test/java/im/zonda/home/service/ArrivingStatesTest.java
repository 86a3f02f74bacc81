package im.zonda.home.service;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ArrivingStatesTest {
  private static final Jid SMALL = Jid.of("small@rooms.example.org");
  private static final Jid LARGE = Jid.of("large@rooms.example.org");
  private static final Jid LAST = Jid.of("last@rooms.example.org");

  private final ArrivingStates states = new ArrivingStates(10_000);

  private static Map<String, byte[]> state(int bytes) {
    return Map.of("part", new byte[bytes]);
  }

  @Test
  void theLargestStateMakesRoomForOthers() {
    assertThat(states.add(SMALL, state(1_000))).isEmpty();
    assertThat(states.add(LARGE, state(6_000))).isEmpty();
    assertThat(states.add(LAST, state(4_000)))
        .extracting(ArrivingStates.State::home)
        .containsExactly(LARGE);
    assertThat(states.homes()).containsExactlyInAnyOrder(SMALL, LAST);
  }

  @Test
  void oneThatIsTooLargeForAllIsDiscardedItself() {
    states.add(SMALL, state(1_000));
    assertThat(states.add(LARGE, state(10_000)))
        .extracting(ArrivingStates.State::home)
        .containsExactly(LARGE);
    assertThat(states.homes()).containsExactly(SMALL);
  }

  @Test
  void whatIsTakenOrReplacedDoesNotCount() {
    states.add(LARGE, state(9_000));
    assertThat(states.add(LARGE, state(8_000))).isEmpty();
    assertThat(states.take(LARGE)).containsOnlyKeys("part");
    assertThat(states.take(LARGE)).isNull();
    assertThat(states.add(LAST, state(9_000))).isEmpty();
    assertThat(states.contains(LAST)).isTrue();
  }
}
