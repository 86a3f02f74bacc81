package im.zonda.app.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.auth.provider.AccountLinks.Link;
import im.zonda.cluster.Member;
import im.zonda.jid.Jid;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// People of a directory at all nodes of a cluster.
@Timeout(120)
class ProvidedInClusterTest {
  private StaffDirectory directory;
  private TestCluster cluster;

  @SuppressWarnings("NullAway.Init") // set before each test
  ProvidedInClusterTest() {}

  @BeforeEach
  void start() throws Exception {
    directory = new StaffDirectory();
    directory.add("juliet", "balcony");
    cluster = TestCluster.start(directory.plan(directory.impatient()), 3);
  }

  @AfterEach
  void stop() {
    cluster.close();
    directory.close();
  }

  private static ScriptedClient login(TestServer node, String resource) {
    return node.login(
        Login.of("juliet@example.org", "balcony").withMechanism("PLAIN").at(resource));
  }

  @Test
  void allNodesLetThemInAndSignThemOut() throws Exception {
    Jid juliet = Jid.of("juliet@example.org");
    List<ScriptedClient> clients = new ArrayList<>();
    for (Member member : cluster.members()) {
      clients.add(login(cluster.server(member), "at" + clients.size()));
    }
    for (Member member : cluster.members()) {
      Link link = cluster.server(member).server().providers().links().find(juliet);
      assertThat(Objects.requireNonNull(link).provider()).isEqualTo("staff");
    }
    directory.remove("juliet");
    for (ScriptedClient each : clients) {
      assertThat(each.awaitStreamError()).isEqualTo("not-authorized");
      each.close();
    }
  }
}
