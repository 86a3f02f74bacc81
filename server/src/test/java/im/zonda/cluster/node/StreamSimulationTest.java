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
  private static final long MOST = 1_000;

  private static final int ACTIONS = 500;

  @TestFactory
  Stream<DynamicTest> everyRequestIsAnsweredAndMakesOneSession() {
    return LongStream.range(FIRST, FIRST + SEEDS)
        .mapToObj(seed ->
            DynamicTest.dynamicTest(
                "seed " + seed,
                () -> {
                  StreamSimulation simulation =
                      run(seed, new StreamSimulation.Plan(seed % 2 == 0, false, false, false));
                  assertThat(simulation.faults()).as("seed " + seed).isEmpty();
                  assertThat(simulation.answered()).as("seed " + seed).isPositive();
                }));
  }

  @Test
  void aRequestThatAHomeLosesHasNoAnswer() {
    assertFound(new StreamSimulation.Plan(false, true, false, false), "no answer");
  }

  @Test
  void aSessionThatIsRecoveredFromAStreamThatItsClientHasLeftIsFound() {
    assertFound(new StreamSimulation.Plan(false, false, true, false), "was told");
  }

  @Test
  void aResumptionThatAClientIsToldOfBeforeTheStandbyKnowsOfItIsFound() {
    assertFound(new StreamSimulation.Plan(false, false, false, true), "was told");
  }

  private static void assertFound(StreamSimulation.Plan planted, String text) {
    boolean found =
        LongStream.rangeClosed(1, MOST)
            .mapToObj(seed -> run(seed, planted))
            .flatMap(simulation -> simulation.faults().stream())
            .anyMatch(fault -> fault.contains(text));
    assertThat(found).as("whether one of %s seeds shows: %s", MOST, text).isTrue();
  }

  private static StreamSimulation run(long seed, StreamSimulation.Plan plan) {
    StreamSimulation simulation = new StreamSimulation(seed, plan);
    for (int action = 0; action < ACTIONS; action++) {
      simulation.act();
    }
    simulation.rest();
    return simulation;
  }
}
