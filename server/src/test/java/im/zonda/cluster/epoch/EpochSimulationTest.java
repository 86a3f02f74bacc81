package im.zonda.cluster.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import im.zonda.cluster.rule.ProtocolRules;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Some hundred seeds of an [EpochSimulation], and faults that it must find. More seeds:
/// `-Dcluster.seeds=…`; one of them: `-Dcluster.seed=…`.
class EpochSimulationTest {
  private static final int ACTIONS = 40;

  /// How many seeds are searched for a fault.
  private static final int FAULT_SEEDS = 100;

  /// A rule that is wrong, and what finds it.
  enum PlantedFault {
    MINORITY_GOES_ON(
        "E2",
        new ProtocolRules() {
          @Override
          public boolean isMajority(int survivors, int before) {
            return true;
          }
        }),
    NO_PATIENCE(
        "E2",
        new ProtocolRules() {
          @Override
          public boolean isAbandoned(long waited, long patience) {
            return true;
          }
        }),
    ACTS_WITHOUT_EPOCH(
        "E1",
        new ProtocolRules() {
          @Override
          public boolean isLegal(boolean sameMembers) {
            return true;
          }
        }),
    EVICTED_GOES_ON(
        "E3",
        new ProtocolRules() {
          @Override
          public boolean restartsWhenEvicted() {
            return false;
          }
        });

    private final String invariant;

    /// Functions without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final ProtocolRules rules;

    PlantedFault(String invariant, ProtocolRules rules) {
      this.invariant = invariant;
      this.rules = rules;
    }
  }

  @Test
  void oneClusterGoesOnWhateverHappens() {
    long one = Long.getLong("cluster.seed", 0);
    long first = one == 0 ? 1 : one;
    long last = one == 0 ? Long.getLong("cluster.seeds", 500) : one;
    long epochs = 0;
    for (long seed = first; seed <= last; seed++) {
      EpochSimulation simulation = new EpochSimulation(seed, new ProtocolRules());
      try {
        simulation.run(ACTIONS);
      } catch (EpochSimulation.Violation e) {
        throw new AssertionError("again with -Dcluster.seed=" + seed + ": " + e.getMessage(), e);
      }
      epochs += simulation.epoch();
    }
    // Seeds in which nobody comes or goes prove nothing.
    assertThat(epochs).isGreaterThan((last - first + 1) * ACTIONS / 4);
  }

  @ParameterizedTest
  @EnumSource
  void aPlantedFaultIsFound(PlantedFault fault) {
    Set<String> others = new TreeSet<>(); // a seed may show first what follows from it
    for (long seed = 1; seed <= FAULT_SEEDS; seed++) {
      try {
        new EpochSimulation(seed, fault.rules).run(ACTIONS);
      } catch (EpochSimulation.Violation found) {
        if (found.invariant.equals(fault.invariant)) {
          return;
        }
        others.add(found.invariant);
      }
    }
    fail("not found in " + FAULT_SEEDS + " seeds, but " + others);
  }
}
