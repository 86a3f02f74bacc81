package im.zonda.dns;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.S2s;
import im.zonda.dns.ServerAddresses.Found;
import im.zonda.runtime.TestRuntime;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// TLSA records count only where DNSSEC proves everything that leads to them.
class DnssecTest {
  private static final String SRV = "_xmpp-server._tcp.b.example.";
  private static final String TLSA = "_5269._tcp.x.b.example.";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Instant start = Instant.parse("2026-11-22T12:00:00Z");
  private final ZoneSigner signer;
  private final TestDns dns;
  private volatile Instant now = start.plusSeconds(60);

  DnssecTest() throws Exception {
    signer = new ZoneSigner(start);
    dns = new TestDns();
  }

  @BeforeEach
  void zone() throws Exception {
    dns.sign(signer);
    dns.add(
        SRV + " 300 IN SRV 0 0 5269 x.b.example.",
        "x.b.example. 300 IN A 192.0.2.1",
        TLSA + " 300 IN TLSA 3 1 1 ABCD");
  }

  @AfterEach
  void close() throws Exception {
    dns.close();
    threads.close();
  }

  private Found find(boolean dane) {
    return find(dane, signer.anchor());
  }

  private Found find(boolean dane, String anchor) {
    String server = "127.0.0.1:" + dns.address().getPort();
    return DnsAddresses.create(
            new S2s.Dns(List.of(server), Duration.ofSeconds(20), dane),
            anchor,
            new TestRuntime().clock(() -> now).workers(threads).build())
        .find("b.example");
  }

  @Test
  void recordsThatAreProved() {
    Target target =
        new Target(
            "x.b.example",
            List.of(InetAddress.ofLiteral("192.0.2.1")),
            5269,
            false,
            List.of(new Tlsa(3, 1, 1, "abcd")));
    assertThat(find(true)).isEqualTo(new Found.Targets(List.of(target), true));
  }

  @Test
  void withoutDaneNothingIsProved() {
    Found.Targets found = (Found.Targets) find(false);
    assertThat(found.authentic()).isFalse();
    assertThat(found.targets().getFirst().tlsa()).isEmpty();
    assertThat(dns.asked(TLSA, Type.TLSA)).isZero();
  }

  @Test
  void aServerWithoutTlsaRecords() throws Exception {
    dns.add(
        "_xmpp-server._tcp.b.example. 300 IN SRV 1 0 5270 y.b.example.",
        "y.b.example. 300 IN A 192.0.2.2");
    Found.Targets found = (Found.Targets) find(true);
    assertThat(found.authentic()).isTrue();
    assertThat(found.targets()).extracting(target -> target.tlsa().size()).containsExactly(1, 0);
  }

  @Test
  void aForgedAddressIsNotUsed() throws Exception {
    dns.lie(
        "x.b.example.",
        (query, truth) -> {
          if (query.getQuestion().getType() == Type.A) {
            truth.removeRecord(truth.getSection(Section.ANSWER).getFirst(), Section.ANSWER);
            truth.addRecord(
                new ARecord(
                    query.getQuestion().getName(), 1, 300, InetAddress.ofLiteral("192.0.2.66")),
                Section.ANSWER);
          }
          return List.of(truth.toWire());
        });
    assertThat(find(true)).isInstanceOf(Found.Unavailable.class);
    assertThat(((Found.Unavailable) find(true)).reason()).contains("SERVFAIL").contains("x.b.");
  }

  @Test
  void aServerWhoseTlsaRecordsAreSuppressedIsNotUsed() throws Exception {
    dns.fail(TLSA, Rcode.SERVFAIL);
    assertThat(find(true)).isInstanceOf(Found.Unavailable.class);
    assertThat(((Found.Unavailable) find(true)).reason()).contains(TLSA);
  }

  @Test
  void signaturesExpire() {
    now = start.plus(Duration.ofDays(8));
    assertThat(find(true)).isInstanceOf(Found.Unavailable.class);
  }

  @Test
  void aZoneOfAnotherKeyIsNotBelieved() throws Exception {
    assertThat(find(true, new ZoneSigner(start).anchor())).isInstanceOf(Found.Unavailable.class);
  }

  @Test
  void theRootKeysCanBeRead() {
    assertThat(find(true, DnsServers.ROOT_KEYS)).isInstanceOf(Found.Unavailable.class);
  }

  @Test
  void recordsOfTheAliasesTargetComeFirst() throws Exception {
    dns.add(
        "_xmpp-server._tcp.b.example. 300 IN SRV 1 0 5269 alias.b.example.",
        "alias.b.example. 300 IN CNAME x.b.example.",
        "_5269._tcp.alias.b.example. 300 IN TLSA 3 1 1 EF");
    Found.Targets found = (Found.Targets) find(true);
    assertThat(found.targets().get(1).tlsa()).containsExactly(new Tlsa(3, 1, 1, "abcd"));
  }
}
