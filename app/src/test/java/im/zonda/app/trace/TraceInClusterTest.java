package im.zonda.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.jid.Jid;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.trace.TraceStore;
import im.zonda.trace.TraceStore.Step;
import im.zonda.trace.TraceStore.Traced;
import im.zonda.trace.recording.Choice;
import im.zonda.trace.recording.DeliveryTraces;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The parts of a message's way at two nodes join, also at a third one.
@Timeout(60)
class TraceInClusterTest {
  private TestCluster cluster;
  private final List<String> accounts = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // set before each test
  TraceInClusterTest() {}

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
    Set<Object> homes = new HashSet<>();
    for (int i = 0; homes.size() < 3; i++) {
      String account = "user" + i + "@example.org";
      if (homes.add(cluster.homeOf(account))) {
        accounts.add(account);
      }
    }
    cluster.accounts(accounts);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private DeliveryTraces traces(int account) {
    return cluster.server(cluster.homeOf(accounts.get(account))).server().traces();
  }

  private List<Step> steps(boolean managed) {
    ScriptedClient receiver = cluster.connect(accounts.get(1) + "/x");
    receiver.send("<presence/>");
    receiver.fence("here");
    ScriptedClient sender = cluster.connect(accounts.get(0) + "/s");
    if (managed) {
      sender.send("<enable xmlns='urn:xmpp:sm:3'/>");
    }
    sender.send(
        "<message type='chat' to='%s' id='m1'><body>b</body></message>".formatted(accounts.get(1)));
    sender.fence("said");
    List<Step> found = new ArrayList<>();
    Eventually.await(
        "all nodes have stored their steps",
        () -> {
          List<Traced> messages = traces(2).find(TraceStore.Query.newest(10));
          found.clear();
          if (messages.size() == 1) {
            found.addAll(traces(2).steps(messages.getFirst().trace()));
          }
          return found.stream().anyMatch(each -> each.verdict().equals("written"));
        });
    return found;
  }

  private void chooseOneInOne() {
    Instant now = Instant.now();
    Choice all = new Choice("t1", null, null, null, 1, now, now.plusSeconds(3_600), "root");
    for (int i = 0; i < 3; i++) {
      traces(i).choose(List.of(all));
    }
  }

  private static void assertJoined(List<Step> steps) {
    assertThat(steps)
        .extracting(each -> each.place() + " " + each.verdict())
        .contains("stream received", "node forwarded", "home received", "session written");
  }

  @Test
  void theStepsOfTwoNodesAreOneWay() {
    chooseOneInOne();
    assertJoined(steps(true));
  }

  @Test
  void alsoOfAClientWithoutStreamManagement() {
    chooseOneInOne();
    assertJoined(steps(false));
  }

  @Test
  void alsoIfOnlyTheReceiverWasChosen() {
    Instant now = Instant.now();
    Jid receiver = Jid.of(accounts.get(1));
    Choice one = new Choice("t1", receiver, null, null, 0, now, now.plusSeconds(3_600), "root");
    for (int i = 0; i < 3; i++) {
      traces(i).choose(List.of(one));
    }
    assertJoined(steps(true));
  }
}
