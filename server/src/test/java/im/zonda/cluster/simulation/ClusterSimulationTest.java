package im.zonda.cluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Thousands of seeds of a [ClusterSimulation]. A seed that fails says how to see it again, with
/// its trace: `-Dcluster.seed=…`. More of them: `-Dcluster.first=…`, `-Dcluster.seeds=…` and
/// `-Dcluster.actions=…`.
class ClusterSimulationTest {
  private static final int ACTIONS = Integer.getInteger("cluster.actions", 60);

  /// A fault is looked for in longer runs, and in so many.
  private static final int FAULT_ACTIONS = 150;

  private static final int FAULT_SEEDS = 300;

  @Test
  void nothingAcknowledgedIsLostWhateverHappensToTheCluster() {
    Long one = Long.getLong("cluster.seed");
    if (one != null) {
      run(one, PlantedFault.NONE, ACTIONS, true);
      return;
    }
    long first = Long.getLong("cluster.first", 1);
    long seeds = Long.getLong("cluster.seeds", 2_000);
    long acknowledged = 0;
    for (long seed = first; seed < first + seeds; seed++) {
      acknowledged += run(seed, PlantedFault.NONE, ACTIONS, false);
    }
    // Seeds in which nothing happens prove nothing.
    assertThat(acknowledged).isGreaterThan(seeds * ACTIONS / 3);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedFaultIsFound(PlantedFault fault) {
    Set<String> others = new TreeSet<>(); // a seed may show first what follows from it
    for (long seed = 1; seed <= FAULT_SEEDS; seed++) {
      try {
        new ClusterSimulation(seed, fault, FAULT_ACTIONS, false).run();
      } catch (ClusterLedger.Violation found) {
        if (found.invariant.equals(fault.invariant())) {
          return;
        }
        others.add(found.invariant);
      }
    }
    fail("not found in " + FAULT_SEEDS + " seeds, but " + others);
  }

  /// Runs a seed. One that fails is run again with fewer actions, until it does not fail.
  ///
  /// @return the number of messages that were acknowledged
  private static int run(long seed, PlantedFault fault, int actions, boolean traced) {
    ClusterSimulation simulation = new ClusterSimulation(seed, fault, actions, traced);
    try {
      simulation.run();
      return simulation.ledger().acknowledgements();
    } catch (ClusterLedger.Violation e) {
      int least = actions;
      while (least > 1 && fails(seed, fault, least - 1)) {
        least--;
      }
      throw new AssertionError(
          "again with -Dcluster.seed=%d -Dcluster.actions=%d: %s\n%s"
              .formatted(seed, least, e.getMessage(), simulation.ledger().trace()),
          e);
    }
  }

  private static boolean fails(long seed, PlantedFault fault, int actions) {
    try {
      new ClusterSimulation(seed, fault, actions, false).run();
      return false;
    } catch (ClusterLedger.Violation _) {
      return true;
    }
  }
}
