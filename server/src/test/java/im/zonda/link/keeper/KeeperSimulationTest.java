package im.zonda.link.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// A stream whose home moves and is killed, from a seed.
class KeeperSimulationTest {
  private static final long SEEDS = Long.getLong("keeper.seeds", 500);
  private static final long FIRST = Long.getLong("keeper.first", 1);

  @TestFactory
  Stream<DynamicTest> theClientNoticesNothing() {
    return LongStream.range(FIRST, FIRST + SEEDS)
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
  }

  private static void run(long seed) {
    KeeperSimulation simulation = new KeeperSimulation(seed);
    for (int action = 0; action < 400; action++) {
      simulation.act();
    }
    simulation.rest();
    assertThat(simulation.faults()).as("seed " + seed).isEmpty();
    assertThat(simulation.delivered()).as("seed " + seed).isPositive();
  }
}
