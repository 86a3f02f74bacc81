package im.zonda.module.registration;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestClock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AnswerThrottleTest {
  private final TestClock clock = new TestClock();
  private final AnswerThrottle throttle = new AnswerThrottle(clock);

  @Test
  void row82TheDelayDoublesWithEachWrongAnswerUpToAnHour() throws UnknownHostException {
    InetAddress address = InetAddress.getByName("192.0.2.1");
    for (int i = 0; i < 12; i++) {
      Duration delay = Duration.ofSeconds(1L << i);
      assertThat(throttle.judge(address, false)).isEqualTo(Duration.ZERO);
      assertThat(throttle.judge(address, true)).isEqualTo(delay);
      clock.advance(delay.minusMillis(1));
      assertThat(throttle.judge(address, true)).isEqualTo(Duration.ofMillis(1));
      clock.advance(Duration.ofMillis(1));
    }
    assertThat(throttle.judge(address, false)).isEqualTo(Duration.ZERO);
    assertThat(throttle.judge(address, true)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aRightAnswerAndAnHourStartAgain() throws UnknownHostException {
    InetAddress address = InetAddress.getByName("192.0.2.1");
    throttle.judge(address, false);
    clock.advance(Duration.ofSeconds(1));
    throttle.judge(address, false);
    clock.advance(Duration.ofSeconds(2));
    assertThat(throttle.judge(address, true)).isEqualTo(Duration.ZERO);
    throttle.judge(address, false);
    assertThat(throttle.judge(address, false)).isEqualTo(Duration.ofSeconds(1));
    clock.advance(Duration.ofHours(1));
    throttle.judge(address, false);
    assertThat(throttle.judge(address, false)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void row82AnotherAddressIsNotDelayedAndAnIpv6SubscriberIsOne() throws UnknownHostException {
    throttle.judge(InetAddress.getByName("2001:db8:0:1::1"), false);
    assertThat(throttle.judge(InetAddress.getByName("2001:db8:0:1:ffff::2"), true))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(throttle.judge(InetAddress.getByName("2001:db8:0:2::1"), true))
        .isEqualTo(Duration.ZERO);
    assertThat(throttle.judge(InetAddress.getByName("192.0.2.1"), true)).isEqualTo(Duration.ZERO);
  }

  @Test
  void row82MemoryIsBounded() throws UnknownHostException {
    for (int i = 0; i <= AnswerThrottle.MAX_NETWORKS; i++) {
      byte[] bytes = {10, (byte) (i >> 16), (byte) (i >> 8), (byte) i};
      throttle.judge(InetAddress.getByAddress(bytes), false);
    }
    assertThat(throttle.networks()).isEqualTo(AnswerThrottle.MAX_NETWORKS);
    clock.advance(Duration.ofHours(1));
    throttle.judge(InetAddress.getByName("192.0.2.1"), false);
    assertThat(throttle.networks()).isEqualTo(1);
  }

  @Test
  void aClockThatGoesBackLocksNobodyOut() throws UnknownHostException {
    InetAddress address = InetAddress.getByName("192.0.2.1");
    throttle.judge(address, false);
    clock.advance(Duration.ofDays(-1));
    assertThat(throttle.judge(address, true)).isEqualTo(Duration.ZERO);
  }
}
