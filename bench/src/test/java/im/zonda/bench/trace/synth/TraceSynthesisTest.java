package im.zonda.bench.trace.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceStatistics;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceSynthesisTest {
  private static final Trace ARENA = TraceSynthesis.make(Arena.preset(7));
  private static final TraceStatistics NUMBERS = TraceStatistics.of(ARENA);

  @Test
  void theSeedMakesTheSameBytesOnEachMachine() {
    assertThat(ARENA.hash())
        .isEqualTo("a1e88b426c98f47945d8981fb089c36a33b6b62818d72ce8f96335b7b1c50662");
  }

  @Test
  void anotherSeedMakesAnotherTrace() {
    Arena small = new Arena(40, 4, 20, 60_000, 1);
    Arena other = new Arena(40, 4, 20, 60_000, 2);

    assertThat(TraceSynthesis.make(other).hash()).isNotEqualTo(TraceSynthesis.make(small).hash());
  }

  @Test
  void thePresetHasThePlayersAndRoomsOfTheDocument() {
    assertThat(NUMBERS.count("players")).isEqualTo(2_600);
    assertThat(NUMBERS.count("players-online-most")).isEqualTo(2_600);
    assertThat(NUMBERS.sizes()).hasSize(53).startsWith(427, 317, 244, 195, 158);
    assertThat(Arrays.stream(NUMBERS.sizes()).sum()).isEqualTo(2_600);
  }

  @Test
  void speechHasTheDistributionsOfTheModel() {
    assertThat(NUMBERS.count("gap-median-seconds")).isCloseTo(20, within(2.0));
    assertThat(NUMBERS.count("length-median")).isCloseTo(42, within(1.0));
    assertThat(NUMBERS.count("share-of-top-tenth")).isCloseTo(0.47, within(0.05));
    assertThat(NUMBERS.count("speakers")).isCloseTo(2_600 * Arena.SPEAKERS, within(100.0));
    assertThat(NUMBERS.lengths()[NUMBERS.lengths().length - 1]).isEqualTo(Arena.LENGTH_MOST);
  }

  @Test
  void roomsHaveBursts() {
    // Messages of independent speakers would have the variance of their mean.
    int[] first = new int[3_600];
    for (Trace.Message message : ARENA.messages()) {
      if (!message.direct() && message.place() == 0) {
        first[(int) (message.millis() / 1_000)]++;
      }
    }
    double mean = Arrays.stream(first).average().orElse(0);
    double variance =
        Arrays.stream(first).mapToDouble(n -> (n - mean) * (n - mean)).average().orElse(0);

    assertThat(variance / mean).isGreaterThan(3);
  }

  @Test
  void theTraceIsStationary() {
    List<Trace.Message> said = ARENA.messages();
    long early = said.stream().filter(message -> message.millis() < 1_800_000).count();

    assertThat((double) early / said.size()).isCloseTo(0.5, within(0.03));
    assertThat(NUMBERS.online()[3_599]).isBetween(2_480, 2_600);
  }

  @Test
  void moreRoomsDoNotChangeThoseThatWereThere() {
    // The sizes change, but not when the first room is lively.
    Trace few = TraceSynthesis.make(new Arena(40, 2, 20 + 5, 60_000, 3));
    Trace more = TraceSynthesis.make(new Arena(41, 2, 20 + 5, 60_000, 3));

    assertThat(more.messages().stream().filter(said -> said.place() == 0).toList())
        .isEqualTo(few.messages().stream().filter(said -> said.place() == 0).toList());
  }

  @Test
  void playersThatDoNotFillTheRoomsAreRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceSynthesis.make(new Arena(10, 10, 5, 60_000, 1)))
        .withMessageContaining("do not fill");
  }
}
