package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.journal.Inquiry;
import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.testkit.client.ScriptedClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
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
    return RecordCopy.with(config, "s2s.deny", List.of("denied.example"));
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

  @Test
  void theOtherServerIsDown() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      servers
          .addresses()
          .serve(
              "down.example",
              new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort()),
              true);
    }
    says("x@down.example");
    awaitCause(atRomeos, "x@down.example", "remote-waits");
  }
}
