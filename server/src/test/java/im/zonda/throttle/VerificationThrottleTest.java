package im.zonda.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

final class VerificationThrottleTest {
  private static final long NOW = 1_000_000;

  private final VerificationThrottle throttle = new VerificationThrottle("seed");

  private static InetAddress address(int number) {
    try {
      return InetAddress.getByAddress(
          new byte[] {(byte) 192, 0, (byte) (number >> 8), (byte) number});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private int acquire(InetAddress from, int attempts) {
    int taken = 0;
    for (int i = 0; i < attempts; i++) {
      taken += throttle.acquire(from, "d" + i + ".example", NOW) ? 1 : 0;
    }
    return taken;
  }

  @Test
  void anAddressHasABoundAtATime() {
    assertThat(acquire(address(1), 1_000)).isEqualTo(VerificationThrottle.ADDRESS_AT_ONCE);
    assertThat(throttle.acquire(address(2), "other.example", NOW)).isTrue();
    throttle.release(address(1), "d0.example");
    assertThat(acquire(address(1), 10)).isEqualTo(1);
  }

  @Test
  void anAddressHasARate() {
    int taken = 0;
    for (int i = 0; i < 1_000; i++) {
      String domain = "d" + i + ".example";
      if (throttle.acquire(address(1), domain, NOW)) {
        taken++;
        throttle.release(address(1), domain);
      }
    }
    assertThat(taken).isEqualTo(VerificationThrottle.ADDRESS_BURST);
    assertThat(throttle.acquire(address(1), "later.example", NOW + 200)).isTrue();
    assertThat(throttle.acquire(address(1), "later.example", NOW + 200)).isFalse();
  }

  @Test
  void aDomainIsNotConnectedToByMany() {
    int taken = 0;
    for (int i = 0; i < 100; i++) {
      taken += throttle.acquire(address(i), "victim.example", NOW) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(VerificationThrottle.DOMAIN_AT_ONCE);
    for (int i = 0; i < 100; i++) {
      throttle.release(address(i % 8), "victim.example");
      if (throttle.acquire(address(i), "victim.example", NOW)) {
        taken++;
      } else {
        break;
      }
    }
    assertThat(taken).isEqualTo(VerificationThrottle.DOMAIN_BURST);
    assertThat(throttle.acquire(address(1), "other.example", NOW)).isTrue();
  }

  @Test
  void manyAddressesLeaveAPlaceForOneThatHasNone() {
    int taken = 0;
    for (int i = 0; i < 20; i++) {
      taken += acquire(address(i), VerificationThrottle.ADDRESS_AT_ONCE);
    }
    assertThat(taken).isLessThan(VerificationThrottle.AT_ONCE);
    assertThat(throttle.acquire(address(500), "bystander.example", NOW)).isTrue();
  }

  @Test
  void thereIsABoundForAll() {
    int taken = 0;
    for (int i = 0; i < 2_000; i++) {
      taken += throttle.acquire(address(i), "d" + i + ".example", NOW) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(VerificationThrottle.AT_ONCE);
  }

  @Test
  void thereIsARateForAll() {
    int taken = 0;
    for (int i = 0; i < 2_000; i++) {
      String domain = "d" + i + ".example";
      if (throttle.acquire(address(i), domain, NOW)) {
        taken++;
        throttle.release(address(i), domain);
      }
    }
    assertThat(taken).isEqualTo(VerificationThrottle.BURST);
    assertThat(throttle.acquire(address(3_000), "later.example", NOW + 20)).isTrue();
    assertThat(throttle.acquire(address(3_001), "later2.example", NOW + 20)).isFalse();
  }

  @Test
  void anAddressGetsAQuarterOfWhatIsFree() {
    assertThat(acquire(InetAddress.getLoopbackAddress(), 216)).isEqualTo(216);
    assertThat(acquire(address(1), 20)).as("of 40").isEqualTo(8);
    throttle.release(InetAddress.getLoopbackAddress(), "d0.example");
    throttle.release(InetAddress.getLoopbackAddress(), "d1.example");
    throttle.release(InetAddress.getLoopbackAddress(), "d2.example");
    throttle.release(InetAddress.getLoopbackAddress(), "d3.example");
    assertThat(acquire(address(1), 20)).as("of 36, which were 32").isEqualTo(1);
  }

  @Test
  void aProxyOnLoopbackStandsForMany() {
    assertThat(acquire(InetAddress.getLoopbackAddress(), 100)).isEqualTo(100);
    assertThat(acquire(InetAddress.getLoopbackAddress(), 100)).isEqualTo(100);
    assertThat(acquire(InetAddress.getLoopbackAddress(), 100)).isEqualTo(56);
  }
}
