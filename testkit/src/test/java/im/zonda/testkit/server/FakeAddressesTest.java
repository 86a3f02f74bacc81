package im.zonda.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import im.zonda.dns.ServerAddresses.Found;
import im.zonda.dns.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeAddressesTest {
  private final FakeAddresses addresses = new FakeAddresses();

  @Test
  void serversInTheOrderInWhichTheyWereAdded() {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    addresses
        .serve("b.example", new InetSocketAddress(loopback, 1), false)
        .serve("B.example", new InetSocketAddress(loopback, 2), true);
    Found found = addresses.find("b.example");
    assertThat(found).isInstanceOf(Found.Targets.class);
    assertThat(((Found.Targets) found).targets())
        .extracting(Target::port, Target::directTls, Target::addresses)
        .containsExactly(tuple(1, false, List.of(loopback)), tuple(2, true, List.of(loopback)));
    assertThat(addresses.asked("b.example")).isEqualTo(1);
  }

  @Test
  void otherDomainsDoNotExistUnlessTheTestSaysSo() {
    assertThat(addresses.find("b.example")).isEqualTo(new Found.NoSuchDomain());
    addresses.answer("b.example", new Found.Unavailable("a reason"));
    assertThat(addresses.find("b.example")).isEqualTo(new Found.Unavailable("a reason"));
    assertThat(addresses.asked("b.example")).isEqualTo(2);
  }
}
