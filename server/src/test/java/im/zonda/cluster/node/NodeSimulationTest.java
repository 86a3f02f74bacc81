package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Nodes whose homes move and that die, over links that lose frames, from a seed.
class NodeSimulationTest {
  private static final long SEEDS = Long.getLong("node.seeds", 300);
  private static final long FIRST = Long.getLong("node.first", 1);

  /// Seeds of which one has to show a planted fault: one in ten to twenty does.
  private static final long MOST = 1_000;

  @TestFactory
  Stream<DynamicTest> everythingArrivesOnceAndInOrder() {
    return LongStream.range(FIRST, FIRST + SEEDS)
        .mapToObj(seed ->
            DynamicTest.dynamicTest(
                "seed " + seed,
                () -> {
                  NodeSimulation simulation = run(seed, true, true);
                  if (!simulation.faults().isEmpty() && SEEDS == 1) {
                    simulation.trace().forEach(System.out::println);
                  }
                  assertThat(simulation.faults()).as("seed " + seed).isEmpty();
                  assertThat(simulation.handled()).as("seed " + seed).isPositive();
                }));
  }

  @Test
  void stanzasThatADeadNodeHasHandledComeTwiceIfTheLogDoesNotKnowThem() {
    assertThat(hasOneTwice(false, true, simulation -> simulation.recognised() > 0)).isTrue();
  }

  @Test
  void stanzasOfSessionsOfADeadNodeComeTwiceIfTheyDoNotSaySo() {
    assertThat(hasOneTwice(true, false, simulation -> simulation.again() > 0)).isTrue();
  }

  /// Whether a stanza comes twice in one of the simulations to which the condition applies.
  private static boolean hasOneTwice(
      boolean readsOrigins, boolean marksDoubt, Predicate<NodeSimulation> condition) {
    return LongStream.rangeClosed(1, MOST)
        .mapToObj(seed -> run(seed, readsOrigins, marksDoubt))
        .filter(condition)
        .flatMap(simulation -> simulation.faults().stream())
        .anyMatch(fault -> fault.contains(" in place of "));
  }

  private static NodeSimulation run(long seed, boolean readsOrigins, boolean marksDoubt) {
    NodeSimulation simulation = new NodeSimulation(seed, readsOrigins, marksDoubt);
    for (int action = 0; action < 300; action++) {
      simulation.act();
    }
    simulation.rest();
    return simulation;
  }
}
