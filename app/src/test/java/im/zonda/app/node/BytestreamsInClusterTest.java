package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.bytestream.BytestreamProxy;
import im.zonda.bytestream.Bytestreams.Activation;
import im.zonda.cluster.Member;
import im.zonda.config.Proxy;
import im.zonda.jid.Jid;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A stream is activated at the node where both parties are connected, whichever node is asked.
@Timeout(60)
class BytestreamsInClusterTest {
  private TestCluster cluster;
  private final Map<Member, Connected> proxies = new HashMap<>();

  @SuppressWarnings("NullAway.Init") // set before each test
  BytestreamsInClusterTest() {}

  /// A proxy to which a number of parties of one stream are connected.
  private static final class Connected implements BytestreamProxy {
    private volatile Activation outcome = Activation.NOT_CONNECTED;
    private volatile String asked = "";

    @Override
    public Activation activate(String address, Jid requester) {
      asked = address + " " + requester;
      return outcome;
    }

    @Override
    public int port() {
      return 7625;
    }
  }

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(
            ServerPlan.of(StandardModules::create)
                .with("proxy", new Proxy(List.of("127.0.0.1:0"), null, null, "proxy", List.of())),
            3);
    for (Member member : cluster.members()) {
      Connected proxy = new Connected();
      cluster.server(member).server().forwardBytesBy(proxy);
      proxies.put(member, proxy);
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  /// What a client at each of the nodes gets.
  private List<String> activate() {
    return List.of("a", "b", "c").stream()
        .map(user -> {
          try (ScriptedClient client = cluster.connect(user + "@example.org/x")) {
            client.send(
                "<iq type='set' id='"
                    + user
                    + "' to='proxy.example.org'><query"
                    + " xmlns='http://jabber.org/protocol/bytestreams'"
                    + " sid='s'><activate>target@example.org/y</activate></query></iq>");
            XmlElement answer = client.receiveFirst(each -> user.equals(each.attribute("id")));
            return "result".equals(answer.attribute("type")) ? "result" : answer.condition();
          }
        })
        .toList();
  }

  @Test
  void theOtherNodesAreAsked() {
    assertThat(activate()).containsOnly("item-not-found");
    for (Connected proxy : proxies.values()) {
      proxy.outcome = Activation.ACTIVE;
      proxy.asked = "";
      assertThat(activate()).containsOnly("result");
      assertThat(proxy.asked).endsWith(" c@example.org");
      proxy.outcome = Activation.TOO_MANY;
      assertThat(activate()).containsOnly("resource-constraint");
      proxy.outcome = Activation.ONE_PARTY;
      assertThat(activate()).containsOnly("not-allowed");
      proxy.outcome = Activation.NOT_CONNECTED;
    }
  }
}
