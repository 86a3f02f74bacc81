package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Nodes that are killed while their homes change and move, from a seed.
class ReplicaSimulationTest {
  private static final long SEEDS = Long.getLong("node.seeds", 300);
  private static final long FIRST = Long.getLong("node.first", 1);

  @TestFactory
  Stream<DynamicTest> theNextNodeHasWhatWasConfirmed() {
    return LongStream.range(FIRST, FIRST + SEEDS)
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
  }

  private static void run(long seed) {
    ReplicaSimulation simulation = new ReplicaSimulation(seed);
    for (int action = 0; action < 1_000; action++) {
      simulation.act();
    }
    simulation.rest();
    if (!simulation.faults().isEmpty() && SEEDS == 1) {
      simulation.trace().forEach(System.out::println);
    }
    assertThat(simulation.faults()).as("seed " + seed).isEmpty();
    assertThat(simulation.restored()).as("seed " + seed).isPositive();
    assertThat(simulation.killed()).as("seed " + seed).isPositive();
    assertThat(simulation.heard()).as("seed " + seed).isPositive();
  }
}
