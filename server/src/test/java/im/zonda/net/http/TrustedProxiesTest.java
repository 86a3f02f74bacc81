package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.http.HttpException;
import im.zonda.net.proxy.AddressRanges;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrustedProxiesTest {
  private final TrustedProxies proxies =
      new TrustedProxies(new AddressRanges(List.of("10.0.0.0/8", "192.0.2.7", "2001:db8::/33")));

  private String client(String peer, boolean tls, String... fields) {
    HttpHeaders all = new DefaultHttpHeaders();
    for (int i = 0; i < fields.length; i += 2) {
      all.add(fields[i], fields[i + 1]);
    }
    TrustedProxies.Client client = proxies.client(InetAddress.ofLiteral(peer), tls, all);
    return client.address().getHostAddress() + (client.secure() ? " https" : " http");
  }

  @Test
  void aProxyNamesTheClient() {
    String elements = "for=198.51.100.4;proto=https;by=10.1.1.1";
    assertThat(client("10.1.1.1", false, "Forwarded", elements)).isEqualTo("198.51.100.4 https");
    assertThat(
            client(
                "192.0.2.7",
                false,
                "X-Forwarded-For",
                "198.51.100.4:4711",
                "X-Forwarded-Proto",
                "https"))
        .isEqualTo("198.51.100.4 https");
    assertThat(client("2001:db8::1", true, "Forwarded", "For=\"[2001:db8:cafe::17]:4711\""))
        .isEqualTo("2001:db8:cafe:0:0:0:0:17 https");
    assertThat(client("10.1.1.1", false)).isEqualTo("10.1.1.1 http");
  }

  @Test
  void row95_aStrangersHeaderIsNotBelieved() {
    String elements = "for=127.0.0.1;proto=https";
    assertThat(client("198.51.100.9", false, "Forwarded", elements)).isEqualTo("198.51.100.9 http");
    assertThat(client("192.0.2.8", false, "X-Forwarded-For", "127.0.0.1"))
        .isEqualTo("192.0.2.8 http");
    assertThat(client("2001:db8:8000::1", false, "X-Forwarded-For", "127.0.0.1"))
        .isEqualTo("2001:db8:8000:0:0:0:0:1 http");
  }

  /// What a client writes itself is before what the proxies have added.
  @Test
  void row95_ofAChainOnlyWhatTrustedProxiesSayIsBelieved() {
    assertThat(client("10.1.1.1", false, "X-Forwarded-For", "127.0.0.1, 198.51.100.4, 10.2.2.2"))
        .isEqualTo("198.51.100.4 http");
    assertThat(
            client(
                "10.1.1.1",
                false,
                "Forwarded",
                "for=127.0.0.1;proto=https",
                "Forwarded",
                "for=198.51.100.4;proto=http"))
        .isEqualTo("198.51.100.4 http");
    assertThat(client("10.1.1.1", false, "Forwarded", "for=127.0.0.1, for=unknown;proto=https"))
        .isEqualTo("10.1.1.1 https");
    assertThat(client("10.1.1.1", false, "Forwarded", "for=127.0.0.1, for=_hidden"))
        .isEqualTo("10.1.1.1 http");
  }

  @Test
  void row95_whatCannotBeReadIsRejected() {
    for (String wrong :
        List.of("for=x.example", "for", "for=\"1.2.3.4", "for=1.2.3.4.5", "for=, for=1.2.3.4")) {
      assertThatThrownBy(() -> client("10.1.1.1", false, "Forwarded", wrong))
          .as(wrong)
          .isInstanceOf(HttpException.class);
    }
    assertThatThrownBy(
            () -> client("10.1.1.1", false, "X-Forwarded-For", "10.0.0.1,".repeat(20) + "10.0.0.2"))
        .isInstanceOf(HttpException.class);
  }

  /// A proxy writes one of the two kinds of fields and may pass on what the client has written in
  /// the other.
  @Test
  void row95_theClientsFieldsOfTheOtherKindAreNotBelieved() {
    for (String forged : List.of("for=127.0.0.1;proto=https", "for=10.0.0.1;proto=https", "by=x")) {
      assertThatThrownBy(() ->
              client("10.1.1.1", false, "Forwarded", forged, "X-Forwarded-For", "198.51.100.4"))
          .as(forged)
          .isInstanceOf(HttpException.class);
    }
    String said = "for=198.51.100.4";
    for (String[] forged :
        new String[][] {{"X-Forwarded-For", "127.0.0.1"}, {"X-Forwarded-Proto", "https"}}) {
      assertThatThrownBy(() -> client("10.1.1.1", false, "Forwarded", said, forged[0], forged[1]))
          .isInstanceOf(HttpException.class);
    }
    assertThat(client("10.1.1.1", false, "Forwarded", said, "X-Forwarded-For", "198.51.100.4"))
        .isEqualTo("198.51.100.4 http");
  }

  /// A proxy that adds its field leaves that of the client before it.
  @Test
  void row95_theLastSchemeIsTheProxys() {
    String name = "X-Forwarded-Proto";
    assertThat(client("10.1.1.1", false, name, "https", name, "http")).isEqualTo("10.1.1.1 http");
    assertThat(client("10.1.1.1", false, name, "https, http")).isEqualTo("10.1.1.1 http");
  }
}
