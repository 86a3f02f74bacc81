package im.zonda.app.doctor;

import static im.zonda.app.finding.ExpectFinding.is;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.doctor.HostDns.SrvService;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import im.zonda.dns.DnsLookup;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DnsChecksTest {
  private static final String HOST = "example.org";
  private static final InetAddress OWN = InetAddress.ofLiteral("192.0.2.1");
  private static final Map<SrvService, Set<Integer>> ALL =
      Map.of(
          SrvService.CLIENTS, Set.of(5222),
          SrvService.CLIENTS_TLS, Set.of(5223),
          SrvService.SERVERS, Set.of(5269),
          SrvService.SERVERS_TLS, Set.of(5270));

  private final FakeDns dns = new FakeDns();
  private Map<SrvService, Set<Integer>> ports = ALL;
  private List<InetAddress> own = List.of(OWN);
  private List<String> services = List.of();

  /// DNS that is what a test says.
  static final class FakeDns implements DnsLookup {
    final Map<String, Records<Srv>> services = new HashMap<>();
    final Map<String, Records<InetAddress>> addresses = new HashMap<>();

    void service(String name, int port, String target) {
      services.put(name, new Records.Found<>(List.of(new Srv(5, 10, port, target))));
    }

    void address(String name, InetAddress... all) {
      addresses.put(name, new Records.Found<>(List.of(all)));
    }

    @Override
    public Records<Srv> services(String name) {
      return services.getOrDefault(name, new Records.None<>());
    }

    @Override
    public Records<InetAddress> addresses(String name) {
      return addresses.getOrDefault(name, new Records.None<>());
    }
  }

  /// Everything is as it should be.
  static FakeDns good() {
    FakeDns good = new FakeDns();
    good.address(HOST, OWN);
    good.service("_xmpp-client._tcp." + HOST, 5222, HOST);
    good.service("_xmpps-client._tcp." + HOST, 5223, HOST);
    good.service("_xmpp-server._tcp." + HOST, 5269, HOST);
    good.service("_xmpps-server._tcp." + HOST, 5270, HOST);
    return good;
  }

  private DnsChecks checks() {
    return new DnsChecks(HostDns.read(HOST, services, dns, Runnable::run), ports, own);
  }

  private Finding service(SrvService service) {
    return checks().service(service);
  }

  @Test
  void goodRecordsHaveNothingToMend() {
    DnsChecks checks =
        new DnsChecks(HostDns.read(HOST, List.of(), good(), Runnable::run), ALL, own);
    assertThat(checks.all()).hasSize(5).allMatch(each -> each.level() == Level.OK);
  }

  @Test
  void missingRecordsAreGivenExactly() {
    dns.address(HOST, OWN);
    is(
        Level.WARNING,
        service(SrvService.CLIENTS),
        "_xmpp-client._tcp.example.org. 3600 IN SRV 5 10 5222 example.org.");
    is(
        Level.WARNING,
        service(SrvService.CLIENTS_TLS),
        "_xmpps-client._tcp.example.org. 3600 IN SRV 5 10 5223 example.org.");
    is(Level.OK, service(SrvService.SERVERS), "other servers use port 5269 of example.org");
    is(Level.OK, service(SrvService.SERVERS_TLS), "with STARTTLS");
    ports = Map.of(SrvService.CLIENTS, Set.of(6222), SrvService.SERVERS, Set.of(6269));
    is(
        Level.PROBLEM,
        service(SrvService.CLIENTS),
        "_xmpp-client._tcp.example.org. 3600 IN SRV 5 10 6222 example.org.");
    is(
        Level.PROBLEM,
        service(SrvService.SERVERS),
        "_xmpp-server._tcp.example.org. 3600 IN SRV 5 10 6269 example.org.");
    is(Level.OK, service(SrvService.CLIENTS_TLS), "no address for it here");
  }

  @Test
  void recordsThatLeadElsewhere() {
    dns.address(HOST, OWN);
    dns.service("_xmpps-client._tcp." + HOST, 5222, HOST);
    is(
        Level.PROBLEM,
        service(SrvService.CLIENTS_TLS),
        "example.org port 5222",
        "listens at 5223",
        "_xmpps-client._tcp.example.org. 3600 IN SRV 5 10 5223 example.org.");
    dns.service("_xmpps-client._tcp." + HOST, 443, HOST);
    is(Level.WARNING, service(SrvService.CLIENTS_TLS), "right only if a router forwards it");
    dns.service("_xmpps-client._tcp." + HOST, 0, "");
    is(Level.PROBLEM, service(SrvService.CLIENTS_TLS), "there is no such service");
    ports = Map.of();
    is(Level.OK, service(SrvService.CLIENTS_TLS), "leads to nowhere");
    dns.service("_xmpp-server._tcp." + HOST, 5269, HOST);
    is(
        Level.WARNING,
        service(SrvService.SERVERS),
        "does not listen",
        "_xmpp-server._tcp.example.org. 3600 IN SRV 0 0 0 .");
  }

  @Test
  void addressesLeadHere() {
    is(Level.PROBLEM, checks().addresses(HOST), "example.org. 3600 IN A 192.0.2.1");
    dns.address(HOST, InetAddress.ofLiteral("198.51.100.9"), OWN);
    is(Level.OK, checks().addresses(HOST), "is at 198.51.100.9, 192.0.2.1");
    dns.address(HOST, InetAddress.ofLiteral("198.51.100.9"));
    is(Level.WARNING, checks().addresses(HOST), "no addresses of this machine");
    own = List.of(InetAddress.ofLiteral("2001:db8::1"));
    is(Level.WARNING, checks().addresses(HOST), "example.org. 3600 IN AAAA 2001:db8:0:0:0:0:0:1");
    own = List.of();
    is(Level.OK, checks().addresses(HOST), "not known: whether that leads here");
    dns.addresses.clear();
    is(Level.PROBLEM, checks().addresses(HOST), "PUBLIC-ADDRESS-OF-THIS-SERVER");
  }

  @Test
  void theTargetsOfRecordsAreLookedUp() {
    dns.service("_xmpp-client._tcp." + HOST, 5222, "chat.example.org");
    is(Level.OK, checks().addresses(HOST), "has no address; its SRV records name other servers");
    assertThat(checks().all())
        .anyMatch(
            each -> each.isProblem() && each.text().equals("chat.example.org has no address"));
    dns.address("chat.example.org", OWN);
    assertThat(checks().all()).noneMatch(Finding::isProblem);
    assertThat(checks().all())
        .anyMatch(each -> each.text().equals("chat.example.org is at 192.0.2.1"));
  }

  @Test
  void whatDnsDoesNotAnswerIsNotKnown() {
    dns.addresses.put(HOST, new DnsLookup.Records.Failed<>("no answer in time"));
    dns.services.put("_xmpp-client._tcp." + HOST, new DnsLookup.Records.Failed<>("SERVFAIL"));
    is(Level.OK, checks().addresses(HOST), "not known: no answer in time");
    is(Level.OK, service(SrvService.CLIENTS), "not known: SERVFAIL");
  }

  @Test
  void otherServersFindTheServices() {
    services = List.of("rooms.example.org", "pubsub.example.org");
    dns.address("rooms.example.org", OWN);
    List<Finding> all = new ArrayList<>(checks().all());
    all.removeIf(each -> !each.text().startsWith("other servers"));
    assertThat(all)
        .containsExactly(
            Finding.ok("DNS", "other servers find rooms.example.org"),
            Finding.warning(
                "DNS",
                "other servers do not find pubsub.example.org: their users cannot use it",
                "_xmpp-server._tcp.pubsub.example.org. 3600 IN SRV 5 10 5269 example.org."));
  }

  @Test
  void namesOfPrivateNetworksNeedNoDns() {
    for (String local :
        List.of(
            "localhost", "chat.local", "a.home.arpa", "b.example", "[::1]", "192.0.2.1", "pi")) {
      assertThat(DnsChecks.isLocal(local)).as(local).isTrue();
    }
    for (String other : List.of("example.org", "local.example.com", "a.co", "münchen.de")) {
      assertThat(DnsChecks.isLocal(other)).as(other).isFalse();
    }
  }

  @Test
  void publicAddressesAreThoseThatOthersReach() {
    for (String other : List.of("192.0.2.1", "100.63.0.1", "2001:db8::1")) {
      assertThat(OwnAddresses.isPublic(InetAddress.ofLiteral(other))).as(other).isTrue();
    }
    for (String own :
        List.of(
            "127.0.0.1",
            "10.0.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.0.1",
            "::1",
            "fd00::1",
            "fe80::1")) {
      assertThat(OwnAddresses.isPublic(InetAddress.ofLiteral(own))).as(own).isFalse();
    }
  }
}
