package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Stanzas that are larger than what crosses between two nodes, and the largest ones that do.
final class LargeStanzasInClusterTest {
  private static final String JULIET = "juliet@example.org";

  /// What a client may send here; a value between nodes may have less than 16 MiB.
  private static final int MOST = 20 << 20;

  private static TestCluster start() throws IOException {
    TestCluster cluster =
        TestCluster.start(
            ServerPlan.of(StandardModules::create).with("limits.client.maxBytes", MOST), 2);
    cluster.accounts(List.of("romeo@example.org", JULIET));
    // All homes are at the node of the first client, and the second client is at the other one.
    cluster.install(List.of(cluster.members().getLast()));
    return cluster;
  }

  private static void send(ScriptedClient from, String id, String body) {
    from.send(
        "<message type='chat' to='%s' id='%s'><body>%s</body></message>"
            .formatted(JULIET, id, body));
  }

  @Test
  void aStanzaThatCannotCrossEndsItsStreamAndNoOther() throws IOException {
    try (TestCluster cluster = start();
        ScriptedClient juliet = cluster.connect(JULIET + "/balcony");
        ScriptedClient romeo = cluster.connect("romeo@example.org/orchard")) {
      juliet.send("<presence/>");
      juliet.fence("online");
      send(romeo, "large", "x".repeat(17 << 20));
      assertThat(romeo.awaitStreamError()).isEqualTo("policy-violation");
      try (ScriptedClient other = cluster.connect("romeo@example.org/garden");
          ScriptedClient another = cluster.connect("romeo@example.org/grove")) {
        send(other, "1", "small");
        send(another, "2", "y".repeat(2 << 20));
        XmlElement first = juliet.receiveFirst(each -> each.localName().equals("message"));
        XmlElement second = juliet.receiveFirst(each -> each.localName().equals("message"));
        assertThat(
                List.of(
                    String.valueOf(first.attribute("id")), String.valueOf(second.attribute("id"))))
            .containsExactlyInAnyOrder("1", "2");
        juliet.fence("goes on");
      }
    }
  }
}
