package im.zonda.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.doctor.DnsOperations.Checked;
import im.zonda.app.doctor.DnsOperations.Wanted;
import im.zonda.app.doctor.WantedRecord.State;
import im.zonda.config.ServerConfig;
import im.zonda.net.Listener;
import im.zonda.net.Listener.Kind;
import im.zonda.storage.memory.MemoryStores;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The records that a host needs in DNS, with the lines to copy.
class DnsOperationsTest {
  private static final String HOST = "example.org";
  private static final InetAddress OWN = InetAddress.ofLiteral("192.0.2.1");

  private static Checked check(DnsChecksTest.FakeDns dns, InetAddress... own) {
    ServerConfig config = ServerConfig.defaults(List.of(HOST), Path.of("data"));
    List<Listener> listeners =
        List.of(
            Listener.parse(Kind.STARTTLS, "0.0.0.0:5222"),
            Listener.parse(Kind.SERVER, "0.0.0.0:5269"));
    return new DnsOperations(
            () -> config,
            () -> listeners,
            InstantSource.system(),
            new DnsOutcomes(new MemoryStores(InstantSource.system()).keyValues(DnsOutcomes.STORE)))
        .check(
            config,
            HOST,
            new DnsOperations.Looking(dns, Runnable::run),
            List.of(own),
            host -> new HostMetaFacts(host, null, "no answer"));
  }

  private static Wanted record(Checked checked, String name) {
    return checked.records().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nothingIsThereYet() {
    Checked checked = check(new DnsChecksTest.FakeDns(), OWN);
    Wanted address = record(checked, HOST);
    assertThat(address.state()).isEqualTo(State.MISSING);
    assertThat(address.lines()).containsExactly("example.org. 3600 IN A 192.0.2.1");
    Wanted clients = record(checked, "_xmpp-client._tcp.example.org");
    assertThat(clients.state()).isEqualTo(State.MISSING);
    assertThat(clients.lines())
        .containsExactly("_xmpp-client._tcp.example.org. 3600 IN SRV 5 10 5222 example.org.");
    assertThat(record(checked, "_xmpp-server._tcp.example.org").state()).isEqualTo(State.OPTIONAL);
    assertThat(record(checked, "rooms.example.org").lines())
        .containsExactly("rooms.example.org. 3600 IN CNAME example.org.");
    assertThat(checked.records()).noneMatch(each -> each.name().startsWith("_xmpps-client"));
    assertThat(checked.wrong()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void whatIsRightAndWhatLeadsElsewhere() {
    DnsChecksTest.FakeDns dns = new DnsChecksTest.FakeDns();
    dns.address(HOST, OWN);
    dns.service("_xmpp-client._tcp." + HOST, 5999, HOST);
    dns.address("rooms." + HOST, InetAddress.ofLiteral("198.51.100.7"));
    Checked checked = check(dns, OWN);
    assertThat(record(checked, HOST).state()).isEqualTo(State.OK);
    Wanted clients = record(checked, "_xmpp-client._tcp.example.org");
    assertThat(clients.state()).isEqualTo(State.DIFFERENT);
    assertThat(clients.found()).containsExactly("5 10 5999 example.org");
    Wanted rooms = record(checked, "rooms.example.org");
    assertThat(rooms.state()).isEqualTo(State.DIFFERENT);
    assertThat(rooms.found()).containsExactly("198.51.100.7");
  }

  /// Behind a router, the public address is not known here.
  @Test
  void aMachineWithoutPublicAddress() {
    assertThat(record(check(new DnsChecksTest.FakeDns()), HOST).lines())
        .containsExactly("example.org. 3600 IN A PUBLIC-ADDRESS-OF-THIS-SERVER");
  }
}
