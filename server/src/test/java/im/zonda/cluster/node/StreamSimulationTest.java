package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Clients ask for their sessions while homes move and nodes are drained, leave and die, from a
/// seed.
class StreamSimulationTest {
  private static final long SEEDS = Long.getLong("stream.seeds", 300);
  private static final long FIRST = Long.getLong("stream.first", 1);

  /// Seeds of which one has to show a planted fault.
  private static final long MOST = 50;

  private static final int ACTIONS = 500;

  @TestFactory
  Stream<DynamicTest> everyRequestIsAnsweredAndMakesOneSession() {
    return LongStream.range(FIRST, FIRST + SEEDS)
        .mapToObj(seed ->
            DynamicTest.dynamicTest(
                "seed " + seed,
                () -> {
                  StreamSimulation simulation = run(seed, seed % 2 == 0, false);
                  assertThat(simulation.faults()).as("seed " + seed).isEmpty();
                  assertThat(simulation.answered()).as("seed " + seed).isPositive();
                }));
  }

  @Test
  void aRequestThatAHomeLosesHasNoAnswer() {
    assertThat(LongStream.rangeClosed(1, MOST).mapToObj(seed -> run(seed, false, true)))
        .anySatisfy(simulation ->
            assertThat(simulation.faults()).anyMatch(fault -> fault.contains("no answer")));
  }

  private static StreamSimulation run(long seed, boolean forgets, boolean loses) {
    StreamSimulation simulation = new StreamSimulation(seed, forgets, loses);
    for (int action = 0; action < ACTIONS; action++) {
      simulation.act();
    }
    simulation.rest();
    return simulation;
  }
}
