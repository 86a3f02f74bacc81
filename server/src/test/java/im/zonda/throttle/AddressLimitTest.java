package im.zonda.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

final class AddressLimitTest {
  private static InetAddress address(String literal) throws UnknownHostException {
    return InetAddress.getByName(literal);
  }

  @Test
  void row30_eachAddressHasItsOwnCount() throws UnknownHostException {
    AddressLimit limit = new AddressLimit(2);

    assertThat(limit.enter(address("192.0.2.1"))).isTrue();
    assertThat(limit.enter(address("192.0.2.1"))).isTrue();
    assertThat(limit.enter(address("192.0.2.1"))).isFalse();
    assertThat(limit.enter(address("192.0.2.2"))).isTrue();
    limit.leave(address("192.0.2.1"));
    assertThat(limit.enter(address("192.0.2.1"))).isTrue();
  }

  @Test
  void row30_aNetworkOf64BitsIsOneAddress() throws UnknownHostException {
    AddressLimit limit = new AddressLimit(1);

    assertThat(limit.enter(address("2001:db8:0:1::1"))).isTrue();
    assertThat(limit.enter(address("2001:db8:0:1:ffff::9"))).isFalse();
    assertThat(limit.enter(address("2001:db8:0:2::1"))).isTrue();
  }

  @Test
  void addressesWithoutConnectionsAreForgotten() throws UnknownHostException {
    AddressLimit limit = new AddressLimit(5);
    limit.enter(address("192.0.2.1"));
    limit.enter(address("192.0.2.1"));

    limit.leave(address("192.0.2.1"));
    assertThat(limit.addresses()).isEqualTo(1);
    limit.leave(address("192.0.2.1"));
    assertThat(limit.addresses()).isZero();
  }

  @Test
  void zeroIsNoLimit() throws UnknownHostException {
    AddressLimit limit = new AddressLimit(0);
    for (int i = 0; i < 1_000; i++) {
      assertThat(limit.enter(address("192.0.2.1"))).isTrue();
    }
    assertThat(limit.addresses()).isZero();
  }
}
