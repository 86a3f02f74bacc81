package im.zonda.home.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FederationSimulationTest {
  @Test
  void nothingAcknowledgedIsLostWhenStreamsBreakAndServersAreKilled() {
    long acknowledged = 0;
    int repeated = 0;
    int returned = 0;
    for (long seed = 1; seed <= 40; seed++) {
      FederationSimulation simulation = new FederationSimulation(seed);
      try {
        simulation.run(3_000);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      acknowledged += simulation.acknowledged();
      repeated += simulation.repeated;
      returned += simulation.returned();
    }
    assertThat(acknowledged).as("acknowledged").isGreaterThan(10_000);
    assertThat(repeated).as("repeated").isGreaterThan(100);
    assertThat(returned).as("returned").isGreaterThan(100);
  }
}
