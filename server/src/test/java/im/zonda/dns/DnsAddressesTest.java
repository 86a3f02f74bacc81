package im.zonda.dns;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.S2s;
import im.zonda.dns.ServerAddresses.Found;
import im.zonda.runtime.TestRuntime;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Servers found with a real DNS server.
class DnsAddressesTest {
  private static final String TLS = "_xmpps-server._tcp.b.example.";
  private static final String PLAIN = "_xmpp-server._tcp.b.example.";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final TestDns dns;
  private volatile Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private Duration timeout = Duration.ofSeconds(20);

  DnsAddressesTest() throws IOException {
    dns = new TestDns();
  }

  @AfterEach
  void close() throws IOException {
    dns.close();
    threads.close();
  }

  private DnsAddresses addresses() {
    String server = "127.0.0.1:" + dns.address().getPort();
    return DnsAddresses.create(
        new S2s.Dns(List.of(server), timeout, false),
        new TestRuntime().random(new Random(1)).clock(() -> now).workers(threads).build());
  }

  private static List<Target> targets(Found found) {
    assertThat(found).isInstanceOf(Found.Targets.class);
    return ((Found.Targets) found).targets();
  }

  private static String reason(Found found) {
    assertThat(found).isInstanceOf(Found.Unavailable.class);
    return ((Found.Unavailable) found).reason();
  }

  private static InetAddress address(String text) {
    return InetAddress.ofLiteral(text);
  }

  @Test
  void recordsOfBothKindsAreOrderedTogetherByPriority() throws Exception {
    dns.add(
        PLAIN + " 300 IN SRV 20 0 5269 last.b.example.",
        PLAIN + " 300 IN SRV 5 0 5299 First.b.example.",
        TLS + " 300 IN SRV 10 0 5270 second.b.example.",
        "first.b.example. 300 IN A 192.0.2.1",
        "second.b.example. 300 IN AAAA 2001:db8::2",
        "second.b.example. 300 IN A 192.0.2.2",
        "last.b.example. 300 IN A 192.0.2.3");
    Found found = addresses().find("b.example");
    assertThat(targets(found))
        .containsExactly(
            new Target("first.b.example", List.of(address("192.0.2.1")), 5299, false, List.of()),
            new Target(
                "second.b.example",
                List.of(address("2001:db8::2"), address("192.0.2.2")),
                5270,
                true,
                List.of()),
            new Target("last.b.example", List.of(address("192.0.2.3")), 5269, false, List.of()));
    assertThat(((Found.Targets) found).authentic()).isFalse();
  }

  @Test
  void withoutSrvRecordsTheDomainItselfAtTheUsualPort() throws Exception {
    dns.add("b.example. 300 IN A 192.0.2.1");
    assertThat(targets(addresses().find("b.example")))
        .containsExactly(
            new Target("b.example", List.of(address("192.0.2.1")), 5269, false, List.of()));
  }

  @Test
  void noFallbackWhereThereAreSrvRecords() throws Exception {
    dns.add("b.example. 300 IN A 192.0.2.1", PLAIN + " 300 IN SRV 0 0 5269 gone.b.example.");
    assertThat(reason(addresses().find("b.example"))).isEqualTo("gone.b.example. has no address");
  }

  @Test
  void aTargetOfADotSaysThatThereIsNoService() throws Exception {
    dns.add("b.example. 300 IN A 192.0.2.1", PLAIN + " 300 IN SRV 0 0 0 .");
    assertThat(addresses().find("b.example")).isEqualTo(new Found.NoSuchDomain());
    dns.add("_xmpps-server._tcp.c.example. 300 IN SRV 0 0 0 .", "c.example. 300 IN A 192.0.2.1");
    assertThat(addresses().find("c.example"))
        .as("XEP-0368: no fallback either")
        .isEqualTo(new Found.NoSuchDomain());
    dns.add(
        "_xmpp-server._tcp.c.example. 300 IN SRV 0 0 5269 x.c.example.",
        "x.c.example. 300 IN A 192.0.2.9");
    assertThat(targets(addresses().find("c.example"))).hasSize(1);
  }

  @Test
  void aDomainThatDoesNotExist() {
    assertThat(addresses().find("nowhere.example")).isEqualTo(new Found.NoSuchDomain());
    assertThat(
            addresses().find("a".repeat(60) + "." + ("b".repeat(60) + ".").repeat(3) + "example"))
        .as("too long with _xmpp-server._tcp")
        .isEqualTo(new Found.NoSuchDomain());
    assertThat(addresses().find("not a domain")).isEqualTo(new Found.NoSuchDomain());
  }

  @Test
  void anInternationalDomainIsAskedForAsALabels() throws Exception {
    dns.add("xn--fa-hia.example. 300 IN A 192.0.2.1");
    Target target =
        new Target("xn--fa-hia.example", List.of(address("192.0.2.1")), 5269, false, List.of());
    assertThat(targets(addresses().find("faß.example"))).containsExactly(target);
    assertThat(targets(addresses().find("xn--fa-hia.example"))).containsExactly(target);
  }

  @Test
  void anAddressInsteadOfADomainIsNotLookedUp() {
    assertThat(targets(addresses().find("192.0.2.7")).getFirst().addresses())
        .containsExactly(address("192.0.2.7"));
    assertThat(targets(addresses().find("[2001:db8::7]")).getFirst().addresses())
        .containsExactly(address("2001:db8::7"));
  }

  @Test
  void aliasesAreFollowed() throws Exception {
    dns.add(
        PLAIN + " 300 IN CNAME other.example.",
        "other.example. 300 IN SRV 0 0 5269 one.example.",
        "one.example. 300 IN CNAME two.example.",
        "two.example. 300 IN CNAME three.example.",
        "three.example. 300 IN A 192.0.2.1");
    assertThat(targets(addresses().find("b.example")).getFirst().addresses())
        .containsExactly(address("192.0.2.1"));
  }

  @Test
  void anAliasWhoseRecordsAreMissingIsAskedFor() throws Exception {
    dns.add("b.example. 300 IN CNAME c.example.", "c.example. 300 IN A 192.0.2.1");
    dns.lie(
        "b.example.",
        (query, truth) -> {
          List.copyOf(truth.getSection(Section.ANSWER)).stream()
              .filter(each -> each.getType() == Type.A)
              .forEach(each -> truth.removeRecord(each, Section.ANSWER));
          truth.removeAllRecords(Section.AUTHORITY);
          return List.of(truth.toWire());
        });
    assertThat(targets(addresses().find("b.example")).getFirst().addresses())
        .containsExactly(address("192.0.2.1"));
    assertThat(dns.asked("c.example.", Type.A)).isEqualTo(1);
  }

  @Test
  void aLoopOfAliasesEnds() throws Exception {
    dns.add("b.example. 300 IN CNAME c.example.", "c.example. 300 IN CNAME b.example.");
    assertThat(reason(addresses().find("b.example"))).contains("loop of aliases");
    for (String name : List.of("d.example.", "e.example.")) {
      dns.add(name + " 300 IN CNAME " + (name.startsWith("d") ? "e" : "d") + ".example.");
      dns.lie(name, (query, truth) -> List.of(onlyFirst(truth).toWire()));
    }
    assertThat(reason(addresses().find("d.example"))).contains("loop of aliases");
    assertThat(dns.asked("e.example.", Type.A)).isLessThan(10);
  }

  private static Message onlyFirst(Message truth) {
    List<Record> answers = List.copyOf(truth.getSection(Section.ANSWER));
    answers.stream().skip(1).forEach(each -> truth.removeRecord(each, Section.ANSWER));
    return truth;
  }

  @Test
  void aTruncatedResponseIsAskedForOverTcp() throws Exception {
    addMany(20);
    assertThat(targets(addresses().find("b.example"))).isNotEmpty();
    assertThat(dns.askedOverTcp()).isPositive();
  }

  @Test
  void hugeAnswersAreCut() throws Exception {
    addMany(900);
    for (int i = 0; i < 100; i++) {
      dns.add("many.b.example. 300 IN A 198.51.100." + i);
    }
    List<Target> targets = targets(addresses().find("b.example"));
    assertThat(targets).hasSize(16);
    assertThat(targets).allMatch(target -> target.addresses().size() == 8);
  }

  private void addMany(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      dns.add(PLAIN + " 300 IN SRV 0 1 " + (1_000 + i) + " many.b.example.");
    }
    dns.add("many.b.example. 300 IN A 192.0.2.1");
  }

  /// An answer is used as long as it is valid, at least ten seconds and at most an hour, the answer
  /// that there is nothing too; an alias shortens the time.
  @ParameterizedTest
  @CsvSource({
    "b.example. 120 IN A 192.0.2.1, 120, b.example., A",
    "b.example. 0 IN A 192.0.2.1, 10, b.example., A",
    "b.example. 10000000 IN A 192.0.2.1, 3600, b.example., A",
    "b.example. 20 IN CNAME c.example., 20, b.example., A",
    "other.example. 300 IN A 192.0.2.1, 60, _xmpp-server._tcp.b.example., SRV"
  })
  void answersAreUsedAsLongAsTheyAreValid(String record, int seconds, String name, String type)
      throws Exception {
    dns.add(record, "c.example. 1000 IN A 192.0.2.1");
    DnsAddresses addresses = addresses();
    addresses.find("b.example");
    now = now.plusSeconds(seconds - 1);
    addresses.find("b.example");
    assertThat(dns.asked(name, Type.value(type))).isEqualTo(1);
    now = now.plusSeconds(1);
    addresses.find("b.example");
    assertThat(dns.asked(name, Type.value(type))).isEqualTo(2);
  }

  @Test
  void equalQuestionsAreAskedOnce() throws Exception {
    dns.add("b.example. 300 IN A 192.0.2.1");
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    dns.lie(
        PLAIN,
        (query, truth) -> {
          asked.countDown();
          awaitUninterrupted(answer);
          return List.of(truth.toWire());
        });
    DnsAddresses addresses = addresses();
    List<Future<Found>> found = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      found.add(threads.submit(() -> addresses.find("b.example")));
    }
    asked.await();
    answer.countDown();
    for (Future<Found> each : found) {
      assertThat(targets(each.get())).hasSize(1);
    }
    assertThat(dns.asked(PLAIN, Type.SRV)).isEqualTo(1);
    assertThat(dns.asked("b.example.", Type.A)).isEqualTo(1);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSilentServerCostsTheTimeLimitOnly() throws Exception {
    timeout = Duration.ofMillis(400);
    dns.ignore(PLAIN);
    assertThat(reason(addresses().find("b.example"))).startsWith("DNS");
  }

  @Test
  void aFailureOfTheServerIsNoAnswerAndIsRememberedForSeconds() throws Exception {
    dns.add("b.example. 300 IN A 192.0.2.1");
    dns.fail(PLAIN, Rcode.SERVFAIL);
    DnsAddresses addresses = addresses();
    assertThat(reason(addresses.find("b.example"))).contains("SERVFAIL").contains(PLAIN);
    int first = dns.asked(PLAIN, Type.SRV);
    addresses.find("b.example");
    assertThat(dns.asked(PLAIN, Type.SRV)).isEqualTo(first);
    now = now.plusSeconds(5);
    addresses.find("b.example");
    assertThat(dns.asked(PLAIN, Type.SRV)).isGreaterThan(first);
  }

  @Test
  void theOtherKindOfRecordIsUsedWhenOneFails() throws Exception {
    dns.add(PLAIN + " 300 IN SRV 0 0 5269 x.b.example.", "x.b.example. 300 IN A 192.0.2.1");
    dns.fail(TLS, Rcode.REFUSED);
    assertThat(targets(addresses().find("b.example"))).hasSize(1);
  }

  @Test
  void aResponseToAnotherQuestionIsNotBelieved() throws Exception {
    dns.add("evil.example. 300 IN A 192.0.2.66");
    timeout = Duration.ofSeconds(2);
    dns.lie(
        "b.example.",
        (query, truth) -> {
          truth.removeAllRecords(Section.QUESTION);
          truth.addRecord(Record.newRecord(name("evil.example."), Type.A, 1), Section.QUESTION);
          return List.of(truth.toWire());
        });
    assertThat(reason(addresses().find("b.example"))).contains("invalid");
  }

  @Test
  void recordsOfOtherNamesInAResponseAreIgnored() throws Exception {
    dns.add("b.example. 300 IN A 192.0.2.1");
    DnsAddresses addresses = addresses();
    dns.lie(
        "b.example.",
        (query, truth) -> {
          truth.addRecord(a("c.example.", "192.0.2.66"), Section.ANSWER);
          truth.addRecord(a("b.example.", "192.0.2.66"), Section.ADDITIONAL);
          truth.addRecord(a("d.example.", "192.0.2.66"), Section.ADDITIONAL);
          return List.of(truth.toWire());
        });
    assertThat(targets(addresses.find("b.example")).getFirst().addresses())
        .containsExactly(address("192.0.2.1"));
    assertThat(addresses.find("c.example")).isEqualTo(new Found.NoSuchDomain());
    assertThat(addresses.find("d.example")).isEqualTo(new Found.NoSuchDomain());
  }

  @Test
  void aResponseWithAnotherIdIsNotBelieved() throws Exception {
    dns.add("b.example. 300 IN A 192.0.2.1");
    dns.lie(
        "b.example.",
        (query, truth) -> {
          Message spoofed = new Message(query.getHeader().getID() ^ 1);
          spoofed.getHeader().setFlag(Flags.QR);
          spoofed.addRecord(query.getQuestion(), Section.QUESTION);
          spoofed.addRecord(a("b.example.", "192.0.2.66"), Section.ANSWER);
          return dns.asked("b.example.", query.getQuestion().getType()) == 1
              ? List.of(spoofed.toWire())
              : List.of(truth.toWire());
        });
    assertThat(targets(addresses().find("b.example")).getFirst().addresses())
        .containsExactly(address("192.0.2.1"));
  }

  @Test
  void theFlagOfAServerProvesNothing() throws Exception {
    dns.add("b.example. 300 IN A 192.0.2.1");
    for (String name : List.of("b.example.", PLAIN, TLS)) {
      dns.lie(
          name,
          (query, truth) -> {
            truth.getHeader().setFlag(Flags.AD);
            return List.of(truth.toWire());
          });
    }
    Found found = addresses().find("b.example");
    assertThat(targets(found)).hasSize(1);
    assertThat(((Found.Targets) found).authentic()).isFalse();
    assertThat(dns.asked("_5269._tcp.b.example.", Type.TLSA)).isZero();
  }

  private static Name name(String text) {
    try {
      return Name.fromString(text);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Record a(String name, String address) {
    return new org.xbill.DNS.ARecord(name(name), 1, 300, address(address));
  }
}
