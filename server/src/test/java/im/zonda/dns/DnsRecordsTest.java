package im.zonda.dns;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.S2s;
import im.zonda.dns.DnsLookup.Records;
import im.zonda.dns.DnsLookup.Srv;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Records of a real DNS server.
class DnsRecordsTest {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final TestDns dns;
  private final DnsRecords records;

  DnsRecordsTest() throws IOException {
    dns =
        new TestDns(
            "_xmpp-client._tcp.a.example. 300 IN SRV 5 10 5222 Chat.a.example.",
            "_xmpps-client._tcp.a.example. 300 IN SRV 0 0 0 .",
            "chat.a.example. 300 IN A 192.0.2.1",
            "chat.a.example. 300 IN AAAA 2001:db8::1",
            "www.a.example. 300 IN CNAME chat.a.example.");
    records =
        DnsRecords.create(
            new S2s.Dns(
                List.of("127.0.0.1:" + dns.address().getPort()), Duration.ofSeconds(20), false),
            InstantSource.system(),
            threads);
  }

  @AfterEach
  void close() throws IOException {
    dns.close();
    threads.close();
  }

  @Test
  void servicesAreFound() {
    assertThat(records.services("_xmpp-client._tcp.a.example"))
        .isEqualTo(new Records.Found<>(List.of(new Srv(5, 10, 5222, "chat.a.example"))));
    assertThat(records.services("_xmpps-client._tcp.a.example"))
        .isEqualTo(new Records.Found<>(List.of(new Srv(0, 0, 0, ""))));
    assertThat(records.services("_xmpp-server._tcp.a.example")).isEqualTo(new Records.None<Srv>());
  }

  @Test
  void addressesOfBothKindsAreFound() {
    List<InetAddress> both =
        List.of(InetAddress.ofLiteral("2001:db8::1"), InetAddress.ofLiteral("192.0.2.1"));
    assertThat(records.addresses("chat.a.example")).isEqualTo(new Records.Found<>(both));
    assertThat(records.addresses("www.a.example")).isEqualTo(new Records.Found<>(both));
    assertThat(records.addresses("none.a.example")).isEqualTo(new Records.None<InetAddress>());
    assertThat(records.addresses("a..example")).isEqualTo(new Records.None<InetAddress>());
  }

  @Test
  void aServerThatDoesNotAnswerIsNotNothing() throws IOException {
    try (ExecutorService own = Executors.newVirtualThreadPerTaskExecutor()) {
      DnsRecords silent =
          DnsRecords.create(
              new S2s.Dns(List.of("127.0.0.1:9"), Duration.ofMillis(200), false),
              InstantSource.system(),
              own);
      assertThat(silent.addresses("a.example")).isInstanceOf(Records.Failed.class);
    }
  }
}
