package im.zonda.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

final class ClientNetworkTest {
  private static ClientNetwork network(String literal) throws UnknownHostException {
    return ClientNetwork.of(InetAddress.getByName(literal));
  }

  @Test
  void anIpv4AddressIsANetwork() throws UnknownHostException {
    assertThat(network("192.0.2.1")).isNotEqualTo(network("192.0.2.2"));
    assertThat(network("0.0.0.1")).isNotEqualTo(network("::1"));
  }

  @Test
  void anIpv6NetworkOf64BitsIsOne() throws UnknownHostException {
    assertThat(network("2001:db8:0:1::1")).isEqualTo(network("2001:db8:0:1:ffff::9"));
    assertThat(network("2001:db8:0:1::1")).isNotEqualTo(network("2001:db8:0:2::1"));
  }

  @Test
  void aNetworkIsReadAsItIsWritten() throws UnknownHostException {
    for (String literal : new String[] {"192.0.2.1", "0.0.0.1", "255.255.255.255", "2001:db8::1"}) {
      ClientNetwork network = network(literal);
      assertThat(ClientNetwork.parse(network.text())).isEqualTo(network);
    }
    for (String other : new String[] {"", "4-", "5-1", "4-01", "4-A", "6-x", "4--1"}) {
      assertThatIllegalArgumentException().as(other).isThrownBy(() -> ClientNetwork.parse(other));
    }
  }

  /// A socket of both families may report its IPv4 peers so; they are not one network.
  @Test
  void aMappedAddressIsTheIpv4Address() throws UnknownHostException {
    byte[] bytes = new byte[16];
    bytes[10] = (byte) 0xff;
    bytes[11] = (byte) 0xff;
    bytes[12] = (byte) 192;
    bytes[14] = 2;
    bytes[15] = 1;
    InetAddress mapped = Inet6Address.getByAddress(null, bytes, 0);

    assertThat(mapped).isInstanceOf(Inet6Address.class);
    assertThat(ClientNetwork.of(mapped)).isEqualTo(network("192.0.2.1"));
  }
}
