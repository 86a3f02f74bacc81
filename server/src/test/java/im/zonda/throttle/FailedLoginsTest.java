package im.zonda.throttle;

import static im.zonda.throttle.Addresses.address;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.stream.client.TestTimers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {
  private static final Instant START = Instant.parse("2026-11-28T12:00:00Z");

  private Instant now = START;
  private final FailedLogins failed = new FailedLogins(() -> now, new TestTimers());

  @Test
  void theFailuresOfANetworkAreCountedTogether() {
    assertThat(failed.add(address("192.0.2.1"), "romeo@a.example")).isTrue();
    now = now.plusSeconds(5);
    assertThat(failed.add(address("192.0.2.1"), null)).isFalse();
    failed.add(address("2001:db8::1"), "juliet@a.example");
    failed.add(address("2001:db8::2"), "nurse@a.example");
    assertThat(failed.list())
        .containsExactly(
            new FailedLogins.Failures("192.0.2.1", 2, START, now, null),
            new FailedLogins.Failures("2001:db8:0:0:0:0:0:2", 2, now, now, "nurse@a.example"));
  }

  @Test
  void aNetworkIsForgottenADayAfterItsLastFailure() {
    failed.add(address("192.0.2.1"), null);
    now = START.plus(FailedLogins.KEPT).minusSeconds(1);
    failed.add(address("192.0.2.2"), null);
    assertThat(failed.list()).hasSize(2);
    now = START.plus(FailedLogins.KEPT);
    assertThat(failed.list()).extracting(FailedLogins.Failures::address).containsOnly("192.0.2.2");
    failed.add(address("192.0.2.1"), null);
    assertThat(failed.list().getFirst())
        .isEqualTo(new FailedLogins.Failures("192.0.2.1", 1, now, now, null));
  }

  @Test
  void theNumberOfNetworksHasABound() {
    for (int i = 0; i < FailedLogins.MOST; i++) {
      now = START.plus(Duration.ofSeconds(i));
      failed.add(address("10.0." + i / 250 + "." + i % 250), null);
    }
    failed.add(address("10.0.0.0"), null); // is the newest now
    failed.add(address("192.0.2.1"), null);
    assertThat(failed.list())
        .hasSize(FailedLogins.MOST)
        .extracting(FailedLogins.Failures::address)
        .contains("10.0.0.0", "192.0.2.1")
        .doesNotContain("10.0.0.1");
  }
}
