package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.limits.Limits;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stream.sasl.ScramTestClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS over real sockets.
final class NetServerTlsTest {
  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, SCRAM-SHA-256-PLUS, tls-exporter",
    "TLSv1.3, SCRAM-SHA-512-PLUS, tls-server-end-point",
    "TLSv1.3, SCRAM-SHA-256, ''",
    "TLSv1.2, SCRAM-SHA-1, ''",
  })
  void theChannelIsBoundAtBothEndsAlike(
      String protocol, String mechanism, String binding, @TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient client = new SocketClient(server.tls)) {
      SSLSocket tls = client.startTls(protocol, "xmpp-client");
      byte[] data =
          switch (binding) {
            case "tls-exporter" ->
                ((ExtendedSSLSession) tls.getSession())
                    .exportKeyingMaterialData("EXPORTER-Channel-Binding", new byte[0], 32);
            case "tls-server-end-point" ->
                MessageDigest.getInstance("SHA-256")
                    .digest(tls.getSession().getPeerCertificates()[0].getEncoded());
            default -> new byte[0];
          };
      ScramTestClient scram = new ScramTestClient(mechanism, "romeo", "secret", binding, data);

      String features = client.send(SocketClient.HEADER).until("</stream:features>");
      client.send(sasl("auth mechanism='" + mechanism + "'", scram.first()));
      client.until("<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>");
      client.send(sasl("response", scram.last(decode(client.until("</challenge>")))));
      client.until("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>");

      assertThat(decode(client.until("</success>"))).isEqualTo(scram.expectedServerFinal());
      boolean bindable = protocol.equals("TLSv1.3");
      assertThat(features.contains("'tls-exporter'")).isEqualTo(bindable);
      assertThat(features.contains("'tls-server-end-point'")).isEqualTo(bindable);
      assertThat(features.contains("-PLUS<")).isEqualTo(bindable);
    }
  }

  /// A client that would bind the channel, and sees no offer with TLS 1.2, says so and is let in.
  @Test
  void aClientThatCouldBindTheChannelLogsInWithTls12(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient client = new SocketClient(server.tls)) {
      client.startTls("TLSv1.2", "xmpp-client");
      ScramTestClient scram = ScramTestClient.thatCouldBind("SCRAM-SHA-256", "romeo", "secret");
      client.send(SocketClient.HEADER).until("</stream:features>");
      client.send(sasl("auth mechanism='SCRAM-SHA-256'", scram.first()));
      client.until("<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>");
      client.send(sasl("response", scram.last(decode(client.until("</challenge>")))));
      client.until("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>");
    }
  }

  private static String sasl(String tag, String data) {
    String name = tag.split(" ", 2)[0];
    String start = "<" + tag + " xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>";
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    return start + Base64.getEncoder().encodeToString(bytes) + "</" + name + ">";
  }

  private static String decode(String untilEndTag) {
    String base64 = untilEndTag.substring(0, untilEndTag.indexOf('<'));
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  @Test
  void newCertificatesServeNewConnectionsAndOldOnesGoOn(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient before = new SocketClient(server.tls)) {
      Certificate old = before.startTls("TLSv1.3").getSession().getPeerCertificates()[0];
      before.login("a");

      PemFiles files =
          SelfSigned.ensure(
              folder, List.of("example.org", "new"), InstantSource.system(), new SecureRandom());
      Files.setLastModifiedTime(files.key(), FileTime.from(Instant.EPOCH));
      assertThat(server.certificates.reloadIfChanged()).isTrue();

      try (SocketClient after = new SocketClient(server.tls)) {
        assertThat(after.startTls("TLSv1.3").getSession().getPeerCertificates()[0])
            .isNotEqualTo(old);
        after.login("b");
        after.send("<message to='romeo@example.org/a'><body>hi</body></message>");
        assertThat(before.until("</message>")).contains("hi");
      }
    }
  }

  @Test
  void aClientThatMeansAnotherProtocolIsRefused(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient client = new SocketClient(server.tls)) {
      assertThatThrownBy(() -> client.startTls("TLSv1.3", "h2"))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void directTlsWithoutAlpnIsFine(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient client = new SocketClient(server.tls)) {
      client.startTls("TLSv1.2");
      client.login("a");
    }
  }

  @Test
  void row32_inputBehindStartTlsOnTheWire(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient client = new SocketClient(server.plain)) {
      client.send(SocketClient.HEADER).until("</stream:features>");

      client.send(NetServerTest.STARTTLS + "<message/>");

      assertThat(client.untilClosed()).contains("<policy-violation ").doesNotContain("proceed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", " \r\n\t"})
  void whiteSpaceBehindStartTlsIsDropped(String space, @TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient client = new SocketClient(server.plain)) {
      client.send(SocketClient.HEADER).until("</stream:features>");
      client.send(NetServerTest.STARTTLS + space).until("<proceed");
      client.until(">");

      client.send(space).startTls("TLSv1.3");
      client.login("a");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n<message/>", "space"})
  void row32_inputBeforeTheHandshakeIsCut(String input, @TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient client = new SocketClient(server.plain)) {
      client.send(SocketClient.HEADER).until("</stream:features>");
      client.send(NetServerTest.STARTTLS).until("<proceed");
      client.until(">");

      client.send(input.equals("space") ? " ".repeat(2_000) : input);

      assertThat(client.untilClosedInAnyWay()).doesNotContain("<");
      NetServerTest.await(() -> server.net.stats().connectionsOpen() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "<stream:stream>", "\u0016\u0003\u0001\u0000"})
  void row26_whatIsNotTlsIsCut(String input, @TempDir Path folder) throws Exception {
    Limits limits = NetServerTest.withNegotiation(800);
    try (RunningServer server = new RunningServer(folder, NetServer.Io.AUTO, limits, false);
        SocketClient client = new SocketClient(server.tls)) {
      client.send(input);

      // At once, or at the deadline of the negotiation; never a word in the clear.
      assertThat(client.untilClosedInAnyWay()).doesNotContain("stream");
      NetServerTest.await(() -> server.net.stats().connectionsOpen() == 0);
    }
  }

  @Test
  void row29_aHandshakeThatStopsIsCut(@TempDir Path folder) throws IOException {
    Limits limits = NetServerTest.withNegotiation(300);
    try (RunningServer server = new RunningServer(folder, NetServer.Io.AUTO, limits, false);
        SocketClient client = new SocketClient(server.plain)) {
      client.send(SocketClient.HEADER).until("</stream:features>");
      client.send(NetServerTest.STARTTLS).until("<proceed");

      client.untilClosedInAnyWay();
      NetServerTest.await(() -> server.net.stats().connectionsOpen() == 0);
    }
  }
}
