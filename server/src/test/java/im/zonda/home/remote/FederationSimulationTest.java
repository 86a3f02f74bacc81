package im.zonda.home.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FederationSimulationTest {
  @Test
  void nothingAcknowledgedIsLostWhenStreamsBreakAndServersAreKilled() {
    long acknowledged = 0;
    int repeated = 0;
    int returned = 0;
    int resumed = 0;
    for (long seed = 1; seed <= 40; seed++) {
      FederationSimulation simulation = new FederationSimulation(seed, PlantedFault.NONE);
      try {
        simulation.run(3_000);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      acknowledged += simulation.acknowledged();
      repeated += simulation.repeated;
      returned += simulation.returned();
      resumed += simulation.resumed;
    }
    assertThat(acknowledged).as("acknowledged").isGreaterThan(10_000);
    assertThat(repeated).as("repeated").isGreaterThan(100);
    assertThat(returned).as("returned").isGreaterThan(100);
    assertThat(resumed).as("resumed").isGreaterThan(50);
  }

  @Test
  void nothingComesTwiceWhenConnectionsAreCutAndStreamsResumed() {
    int resumed = 0;
    for (long seed = 1; seed <= 40; seed++) {
      FederationSimulation simulation =
          new FederationSimulation(seed, PlantedFault.NONE).lossless();
      try {
        simulation.run(3_000);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      resumed += simulation.resumed;
    }
    assertThat(resumed).as("resumed").isGreaterThan(1_000);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedFaultIsFound(PlantedFault fault) {
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= 20; seed++) {
                new FederationSimulation(seed, fault).run(3_000);
                new FederationSimulation(seed, fault).lossless().run(3_000);
              }
            })
        .isInstanceOf(AssertionError.class);
  }
}
