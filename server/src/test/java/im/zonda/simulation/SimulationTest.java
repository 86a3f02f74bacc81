package im.zonda.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Hundreds of seeds of a [Simulation], and thousands in `./zonda test --all`. A seed that fails
/// says how to see it again: `-Dsimulation.seed=…`. More of them: `-Dsimulation.first=…` and
/// `-Dsimulation.seeds=…`.
final class SimulationTest {
  private static final boolean ALL = Boolean.getBoolean("zonda.test.all");
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("im.zonda");

  @TempDir private Path data;

  @BeforeAll
  static void quiet() {
    // The failures are on purpose, and there are many.
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void loud() {
    LOG.setLevel(null);
  }

  @Test
  void whateverHappensNothingAcknowledgedIsLost() {
    Long one = Long.getLong("simulation.seed");
    if (one != null) {
      new Simulation(one, data, true).run();
      return;
    }
    long first = Long.getLong("simulation.first", 1);
    long seeds = Long.getLong("simulation.seeds", ALL ? 5_000 : 500);
    long acknowledged = 0;
    for (long seed = first; seed < first + seeds; seed++) {
      Simulation simulation = new Simulation(seed, data, false);
      try {
        simulation.run();
      } catch (AssertionError e) {
        throw new AssertionError("again with -Dsimulation.seed=" + seed + ": " + e.getMessage(), e);
      }
      acknowledged += simulation.ledger().acknowledgements();
    }
    // Seeds in which nothing happens prove nothing.
    assertThat(acknowledged).isGreaterThan(seeds * 5);
  }
}
