package im.zonda.dns;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.dns.ServerAddresses.Found;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Servers from the configuration.
class StaticRoutesTest {
  private final List<String> asked = new ArrayList<>();
  private final ServerAddresses routes =
      new StaticRoutes(
          Map.of(
              "b.example", "127.0.0.1:15269",
              "c.example", "tls://[::1]:15270",
              "bücher.example", "localhost:1",
              "d.example", "nowhere.invalid:1"),
          domain -> {
            asked.add(domain);
            return new Found.NoSuchDomain();
          });

  private static Found one(String host, String address, int port, boolean directTls) {
    return new Found.Targets(
        List.of(
            new Target(host, List.of(InetAddress.ofLiteral(address)), port, directTls, List.of())),
        false);
  }

  @Test
  void aRouteComesBeforeDns() {
    assertThat(routes.find("b.example")).isEqualTo(one("127.0.0.1", "127.0.0.1", 15_269, false));
    assertThat(routes.find("c.example")).isEqualTo(one("::1", "::1", 15_270, true));
    assertThat(asked).isEmpty();
  }

  @Test
  void theFormOfTheDomainDoesNotMatter() {
    for (String form : List.of("bücher.example", "xn--bcher-kva.example", "BÜCHER.example")) {
      assertThat(routes.find(form)).isInstanceOf(Found.Targets.class);
    }
  }

  @Test
  void otherDomainsAreAskedFor() {
    assertThat(routes.find("e.example")).isEqualTo(new Found.NoSuchDomain());
    assertThat(asked).containsExactly("e.example");
  }

  @Test
  void aHostWithoutAddressIsNoReasonToAskDns() {
    assertThat(routes.find("d.example"))
        .isEqualTo(new Found.Unavailable("s2s.route: nowhere.invalid has no address"));
    assertThat(asked).isEmpty();
  }
}
