package im.zonda.net.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressRangesTest {
  private static boolean contains(String range, String address) {
    return new AddressRanges(List.of(range)).contains(InetAddress.ofLiteral(address));
  }

  @Test
  void addressesAndNetworksOfBothVersions() {
    assertThat(contains("192.0.2.7", "192.0.2.7")).isTrue();
    assertThat(contains("192.0.2.7", "192.0.2.6")).isFalse();
    assertThat(contains("10.0.0.0/8", "10.255.0.1")).isTrue();
    assertThat(contains("10.0.0.0/8", "11.0.0.1")).isFalse();
    assertThat(contains("10.0.0.128/25", "10.0.0.127")).isFalse();
    assertThat(contains("2001:db8::/33", "2001:db8:7fff::1")).isTrue();
    assertThat(contains("2001:db8::/33", "2001:db8:8000::1")).isFalse();
    assertThat(contains("::/0", "192.0.2.7")).isFalse();
    assertThat(contains("0.0.0.0/0", "192.0.2.7")).isTrue();
    assertThat(AddressRanges.NONE.contains(InetAddress.ofLiteral("127.0.0.1"))).isFalse();
  }

  /// A socket that accepts both versions may report IPv4 peers as mapped addresses.
  @Test
  void aMappedAddressIsTheIpv4Address() throws UnknownHostException {
    byte[] bytes = new byte[16];
    bytes[10] = (byte) 0xff;
    bytes[11] = (byte) 0xff;
    bytes[12] = 10;
    InetAddress mapped = Inet6Address.getByAddress(null, bytes, -1);
    assertThat(mapped).isInstanceOf(Inet6Address.class);
    assertThat(new AddressRanges(List.of("10.0.0.0/8")).contains(mapped)).isTrue();
    assertThat(new AddressRanges(List.of("11.0.0.0/8")).contains(mapped)).isFalse();
  }

  @Test
  void rangesAreChecked() {
    for (String wrong : List.of("", "x", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "::/129")) {
      assertThatThrownBy(() -> new AddressRanges(List.of(wrong)))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no address or network");
    }
  }
}
