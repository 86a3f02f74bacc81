package im.zonda.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.session.ClientNetwork;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class GuestThrottleTest {
  private static final ClientNetwork HOME = new ClientNetwork(false, 1);
  private static final ClientNetwork OFFICE = new ClientNetwork(true, 1);

  private Instant now = Instant.parse("2026-11-26T12:00:00Z");
  private final GuestThrottle throttle = new GuestThrottle(() -> now, "a secret of the test");

  private int taken(ClientNetwork network, int attempts, int perHour) {
    int taken = 0;
    for (int i = 0; i < attempts; i++) {
      taken += throttle.take(network, perHour) ? 1 : 0;
    }
    return taken;
  }

  @Test
  void row140_soManyInAnHourFromOneNetwork() {
    assertThat(taken(HOME, 10, 3)).isEqualTo(3);
    assertThat(taken(OFFICE, 10, 3)).as("another network").isEqualTo(3);
    now = now.plus(Duration.ofMinutes(19));
    assertThat(taken(HOME, 10, 3)).isZero();
    now = now.plus(Duration.ofMinutes(2));
    assertThat(taken(HOME, 10, 3)).isEqualTo(1);
    now = now.plus(Duration.ofHours(2));
    assertThat(taken(HOME, 10, 3)).isEqualTo(3);
  }

  @Test
  void zeroIsNoLimit() {
    assertThat(taken(HOME, 1_000, 0)).isEqualTo(1_000);
  }

  @Test
  void anotherRateBeginsAgain() {
    assertThat(taken(HOME, 10, 1)).isEqualTo(1);
    assertThat(taken(HOME, 10, 2)).isEqualTo(2);
  }
}
