package im.zonda.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Clients of an edge log in while its cores leave, are lost and come back, from a seed.
class EdgeSimulationTest {
  private static final long SEEDS = Long.getLong("edge.seeds", 300);
  private static final long FIRST = Long.getLong("edge.first", 1);
  private static final int ACTIONS = 600;

  @TestFactory
  Stream<DynamicTest> everyClientIsAnsweredOrDisconnected() {
    return LongStream.range(FIRST, FIRST + SEEDS)
        .mapToObj(seed ->
            DynamicTest.dynamicTest(
                "seed " + seed,
                () -> {
                  EdgeSimulation simulation = run(seed, true);
                  assertThat(simulation.faults()).as("seed " + seed).isEmpty();
                  assertThat(simulation.logins()).as("seed " + seed).isPositive();
                }));
  }

  @Test
  void aClientWaitsForEverIfACoreAnswersTooLate() {
    assertThat(LongStream.rangeClosed(1, SEEDS).mapToObj(seed -> run(seed, false)))
        .anySatisfy(simulation ->
            assertThat(simulation.faults()).anyMatch(fault -> fault.contains("FOR_SESSION")));
  }

  private static EdgeSimulation run(long seed, boolean answersFirst) {
    EdgeSimulation simulation = new EdgeSimulation(seed, answersFirst);
    for (int action = 0; action < ACTIONS; action++) {
      simulation.act();
    }
    simulation.rest();
    return simulation;
  }
}
