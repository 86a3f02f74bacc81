package im.zonda.app.journal;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One node of a cluster is asked about a message between accounts at two others.
@Timeout(60)
class WhyInClusterTest {
  private TestCluster cluster;
  private Inquiry inquiry;
  private String sender;
  private String receiver;

  @SuppressWarnings("NullAway.Init") // set before each test
  WhyInClusterTest() {}

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(
            ServerPlan.of(StandardModules::create).with("limits.offlineMessages", 2), 3);
    List<String> accounts = new ArrayList<>();
    Set<Object> homes = new HashSet<>();
    for (int i = 0; homes.size() < 3; i++) {
      String account = "user" + i + "@example.org";
      if (homes.add(cluster.homeOf(account))) {
        accounts.add(account);
      }
    }
    cluster.accounts(accounts);
    sender = accounts.get(0);
    receiver = accounts.get(1);
    inquiry = new Inquiry(cluster.server(cluster.homeOf(accounts.get(2))), "example.org", () -> {});
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private ScriptedClient available(String account) {
    ScriptedClient client = cluster.connect(account + "/x");
    client.send("<presence/>");
    client.fence("here");
    return client;
  }

  private void says(String to, int times) {
    ScriptedClient client = cluster.connect(sender + "/s");
    for (int i = 0; i < times; i++) {
      client.send("<message type='chat' to='%s'><body>b</body></message>".formatted(to));
    }
    client.fence("said");
  }

  /// Waits until the cause is found: another node stores its events of the journal a second later.
  private void awaitCause(String to, String cause) {
    Eventually.await(
        "the cause is " + cause, () -> inquiry.why(sender, to).getFirst().equals(cause));
  }

  @Test
  void theReceiverIsNotConnected() {
    says(receiver, 1);
    awaitCause(receiver, "not-connected");
  }

  @Test
  void tooMuchWaits() {
    says(receiver, 3);
    awaitCause(receiver, "offline-full");
  }

  @Test
  void theReceiverHasBlockedTheSender() {
    ScriptedClient client = available(receiver);
    client.send(
        "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'><item jid='%s'/></block></iq>"
            .formatted(sender));
    client.fence("blocked");
    says(receiver, 1);
    awaitCause(receiver, "blocked-by-receiver");
  }

  @Test
  void thereIsNoSuchAccount() {
    says("nobody@example.org", 1);
    awaitCause("nobody@example.org", "no-such-account");
  }

  @Test
  void theMessageWasDelivered() {
    available(receiver);
    says(receiver, 1);
    awaitCause(receiver, "delivered");
  }

  @Test
  void theDeviceHasLostItsConnection() {
    ScriptedClient client = cluster.connect(receiver + "/x");
    client.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
    client.send("<presence/>");
    client.fence("here");
    client.drop();
    says(receiver, 1);
    awaitCause(receiver, "session-detached");
  }
}
