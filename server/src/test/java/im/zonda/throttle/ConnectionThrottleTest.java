package im.zonda.throttle;

import static im.zonda.throttle.Addresses.address;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.LoginLimits;
import im.zonda.throttle.ConnectionThrottle.Refusal;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConnectionThrottleTest {
  private static final InetAddress FLOOD = address("192.0.2.66");
  private static final InetAddress OTHER = address("198.51.100.1");

  private final LoginThrottle logins =
      new LoginThrottle(LoginLimits.DEFAULTS, Duration.ofSeconds(30), () -> Instant.EPOCH, "seed");
  private final ConnectionThrottle throttle = throttle(new ConnectionLimits(10, 100, 1_000));

  private ConnectionThrottle throttle(ConnectionLimits limits) {
    return new ConnectionThrottle(limits, logins, 1_024, "seed");
  }

  private int accepted(ConnectionThrottle by, InetAddress address, int connections, long now) {
    int accepted = 0;
    for (int i = 0; i < connections; i++) {
      accepted += by.countConnection(address, now) == null ? 1 : 0;
    }
    return accepted;
  }

  @Test
  void row30_anAddressConnectsAtItsRateAfterABurst() {
    assertThat(accepted(throttle, FLOOD, 1_000, 0)).isEqualTo(100);
    assertThat(throttle.countConnection(FLOOD, 0)).isEqualTo(Refusal.RATE);
    assertThat(accepted(throttle, FLOOD, 1_000, 2_000)).isEqualTo(20);
    assertThat(accepted(throttle, OTHER, 100, 2_000)).isEqualTo(100);
  }

  @Test
  void row30_ratesAboveOneAMillisecondCount() {
    ConnectionThrottle fast = throttle(new ConnectionLimits(5_000, 1, 1_000));

    assertThat(accepted(fast, FLOOD, 10, 0)).isEqualTo(1);
    assertThat(accepted(fast, FLOOD, 10, 1)).isEqualTo(1);
  }

  @Test
  void addressesOfTheMachineItselfAreExempt() {
    assertThat(accepted(throttle, address("127.0.0.1"), 10_000, 0)).isEqualTo(10_000);
    assertThat(accepted(throttle, address("::1"), 10_000, 0)).isEqualTo(10_000);
  }

  @Test
  void aBannedAddressIsNotAccepted() {
    logins.banned().set(List.of("192.0.2.66"), FLOOD::equals);
    assertThat(throttle.countConnection(FLOOD, 0)).isEqualTo(Refusal.BANNED);
    assertThat(throttle.countConnection(OTHER, 0)).isNull();
    logins.banned().set(List.of("::/0"), _ -> true);
    assertThat(throttle.countConnection(address("127.0.0.1"), 0))
        .as("nobody bans the machine itself")
        .isNull();
  }

  @Test
  void zeroIsNoLimit() {
    assertThat(accepted(throttle(new ConnectionLimits(0, 1, 1_000)), FLOOD, 10_000, 0))
        .isEqualTo(10_000);
  }

  @Test
  void row30_whereLoginsOnlyFailConnectionsAreClosed() {
    for (int i = 0; i < 100; i++) {
      LoginThrottle.Attempt guess = logins.attempt(FLOOD, "victim@example.org");
      guess.decide(false);
      guess.answered();
    }

    assertThat(throttle.countConnection(FLOOD, 0)).isEqualTo(Refusal.FAILED_LOGINS);
    assertThat(throttle.countConnection(OTHER, 0)).isNull();
  }
}
