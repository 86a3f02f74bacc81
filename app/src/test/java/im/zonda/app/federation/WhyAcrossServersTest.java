package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.journal.Inquiry;
import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Why messages to people at other servers do not arrive.
@Timeout(60)
class WhyAcrossServersTest {
  private static final String ROMEO = "romeo@a.example";
  private static final String JULIET = "juliet@b.example";

  /// Messages to such a domain do not wait.
  private static final S2s.Domain AT_ONCE =
      new S2s.Domain(null, Duration.ofMillis(1), null, null, null);

  @TempDir private Path folder;
  private TwoServers servers;
  private ScriptedClient romeo;
  private Inquiry atRomeos;

  @SuppressWarnings("NullAway.Init") // set before each test
  WhyAcrossServersTest() {}

  @BeforeEach
  void start() throws IOException {
    TwoServers.makeCertificates(folder);
    servers = TwoServers.start(TwoServers.Mode.DIRECT_TLS, folder, WhyAcrossServersTest::changed);
    romeo = servers.romeo();
    atRomeos = new Inquiry(servers.a(), "a.example", () -> {});
  }

  private static ServerConfig changed(ServerConfig config) {
    boolean first = config.hosts().contains("a.example");
    ServerConfig changed = RecordCopy.with(config, "s2s.deny", List.of("denied.example"));
    changed = RecordCopy.with(changed, "s2s.limits.queueBytes", 65_536L);
    changed =
        RecordCopy.with(
            changed, "s2s.domain", Map.of("lost.example", AT_ONCE, "c.example", AT_ONCE));
    return RecordCopy.with(changed, "limits.client.maxBytes", first ? 100_000 : 20_000);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private void says(String to) {
    romeo.send("<message type='chat' id='m1' to='%s'><body>b</body></message>".formatted(to));
    romeo.fence("said");
  }

  private void awaitCause(Inquiry inquiry, String to, String cause) {
    List<String> known = inquiry.why(ROMEO, to);
    while (!known.getFirst().equals(cause)) {
      known = inquiry.why(ROMEO, to); // until the time of the test is over
    }
    assertThat(known).startsWith(cause);
  }

  @Test
  void theMessageHasLeftAndIsDelivered() {
    ScriptedClient juliet = servers.juliet();
    juliet.send("<presence/>");
    juliet.fence("here");
    says(JULIET);
    assertThat(juliet.receiveFirst(each -> "m1".equals(each.attribute("id")))).isNotNull();
    awaitCause(atRomeos, JULIET, "left-sender");
    awaitCause(new Inquiry(servers.b(), "b.example", () -> {}), JULIET, "delivered");
  }

  @Test
  void theReceiverIsNotConnected() {
    servers.juliet().disconnect();
    says(JULIET);
    awaitCause(new Inquiry(servers.b(), "b.example", () -> {}), JULIET, "not-connected");
  }

  @Test
  void theOtherServerReturnsIt() {
    says("nobody@b.example");
    awaitCause(atRomeos, "nobody@b.example", "remote-error");
  }

  @Test
  void theOtherDomainIsDenied() {
    says("x@denied.example");
    awaitCause(atRomeos, "x@denied.example", "remote-not-allowed");
  }

  @Test
  void theOtherDomainDoesNotExist() {
    says("x@nowhere.example");
    awaitCause(atRomeos, "x@nowhere.example", "remote-no-such-domain");
  }

  @Test
  void strangersAreRejected() {
    assertThat(
            servers
                .b()
                .reload(config -> RecordCopy.with(config, "s2s.strangers", S2s.Strangers.REJECT)))
        .isEmpty();
    servers.juliet();
    says(JULIET);
    awaitCause(new Inquiry(servers.b(), "b.example", () -> {}), JULIET, "stranger");
    awaitCause(atRomeos, JULIET, "remote-error");
  }

  @Test
  void strangersAreHeld() {
    assertThat(
            servers
                .b()
                .reload(config -> RecordCopy.with(config, "s2s.strangers", S2s.Strangers.HOLD)))
        .isEmpty();
    servers.juliet();
    says(JULIET);
    awaitCause(new Inquiry(servers.b(), "b.example", () -> {}), JULIET, "stranger-held");
  }

  /// Nobody listens at the address of a domain.
  private void isDown(String domain) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      servers
          .addresses()
          .serve(
              domain,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort()),
              true);
    }
  }

  private void says(String to, int bytes) {
    romeo.send(
        "<message type='chat' id='m1' to='%s'><body>%s</body></message>"
            .formatted(to, "b".repeat(bytes)));
    romeo.fence("said " + bytes);
  }

  @Test
  void theOtherServerIsDown() throws IOException {
    isDown("down.example");
    says("x@down.example");
    awaitCause(atRomeos, "x@down.example", "remote-waits");
  }

  @Test
  void tooMuchWaitsForTheOtherServer() throws IOException {
    isDown("down.example");
    says("x@down.example", 50_000);
    says("x@down.example", 50_001);
    awaitCause(atRomeos, "x@down.example", "remote-queue-full");
  }

  @Test
  void theOtherServerWasNotReachedInTime() throws IOException {
    isDown("lost.example");
    says("x@lost.example");
    awaitCause(atRomeos, "x@lost.example", "remote-unreachable");
  }

  @Test
  void theOtherServerDoesNotProveItsDomain() {
    servers.addresses().serve("c.example", servers.b().serverAddress(true), true);
    says("x@c.example");
    awaitCause(atRomeos, "x@c.example", "remote-untrusted");
  }

  @Test
  void theMessageIsTooLargeForTheOtherServer() {
    servers.juliet();
    says(JULIET, 30_000);
    awaitCause(atRomeos, JULIET, "remote-too-large");
  }

  @Test
  void theOtherServerSendsTooMuch() {
    assertThat(servers.b().reload(config -> RecordCopy.with(config, "s2s.stanzaRate", 1)))
        .isEmpty();
    servers.juliet();
    for (int i = 0; i < 50; i++) {
      says(JULIET, 1 + i);
    }
    Inquiry atJuliets = new Inquiry(servers.b(), "b.example", () -> {});
    Eventually.await(
        "it is known that the other server is slowed",
        () -> atJuliets.why(ROMEO, JULIET).contains("remote-slowed"));
  }
}
