package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A session has moved while its former node was handling its stanzas, and that node has to say
/// when it has.
@Timeout(60)
class OwedCountsTest {
  private static final String SM = "urn:xmpp:sm:3";
  private static final String ROMEO = "romeo@example.org";

  private TestCluster cluster;
  private Member former;
  private Member next;
  private String juliet;

  /// Juliet's home is at neither of the nodes that Romeo's is at.
  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
    former = cluster.homeOf(ROMEO);
    List<Member> members = cluster.members();
    next = members.get((members.indexOf(former) + 1) % members.size());
    Member third = members.get((members.indexOf(former) + 2) % members.size());
    juliet =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "juliet" + i + "@example.org")
            .filter(each -> cluster.homeOf(each).equals(third))
            .findFirst()
            .orElseThrow();
    cluster.accounts(List.of(ROMEO, juliet));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void theClientSendsAgainWhatADeadNodeWasHandling() {
    Member third = cluster.homeOf(juliet);
    try (ScriptedClient listener = cluster.server(third).connect(juliet + "/balcony");
        ScriptedClient romeo = cluster.server(next).connect(ROMEO + "/orchard")) {
      listener.send("<presence/>");
      romeo.send("<enable xmlns='" + SM + "' resume='true'/>");
      romeo.receiveFirst(e -> e.is(SM, "enabled"));
      romeo.send("<presence/>");
      romeo.receiveFirst(e -> e.localName().equals("presence"));
      romeo.awaitHandled(1);
      cluster.mute(former, third);
      romeo.send("<message type='chat' to='%s'><body>1</body></message>".formatted(juliet));
      romeo.fence("behind", ROMEO);
      assertThat(romeo.handled()).isEqualTo(1);
      cluster.move(ROMEO);
      listener.fence("moved", ROMEO); // until it has been counted, Romeo is not read from
      cluster.kill(former);
      romeo.awaitHandled(3);
      assertThat(listener.receiveFirst(e -> e.child("body") != null).childText("body"))
          .isEqualTo("1");
      romeo.fence("after", ROMEO);
      romeo.awaitHandled(4);
    }
  }
}
