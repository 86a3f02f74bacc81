package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.config.component.Components;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A component and the users of three nodes, wherever the home of its domain is.
@Timeout(120)
class ComponentsInClusterTest {
  private static final String GATEWAY = "gateway.example.org";
  private static final String NEWS = "news.pattern.example";
  private static final String SECRET = "component secret";

  private TestCluster cluster;
  private final List<ScriptedClient> clients = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    Components settings =
        new Components(
            List.of(),
            Duration.ofSeconds(30),
            400_000,
            4,
            Map.of(GATEWAY, SECRET, "*.pattern.example", SECRET));
    cluster =
        TestCluster.start(ServerPlan.of(StandardModules::create).with("component", settings), 3);
  }

  @AfterEach
  void stop() {
    clients.forEach(ScriptedClient::drop);
    cluster.close();
  }

  private ScriptedClient user(Member node, String name) {
    TestServer server = cluster.server(node);
    server.accounts(List.of(name + "@example.org"));
    ScriptedClient client = server.connect(name + "@example.org/home");
    clients.add(client);
    return client;
  }

  private ScriptedClient component(Member node, String domain) {
    ScriptedClient client = cluster.server(node).component(domain, SECRET);
    clients.add(client);
    return client;
  }

  private static void say(ScriptedClient user, String to, int id) {
    user.send("<message to='x@%s' id='%d'><body>%d</body></message>".formatted(to, id, id));
  }

  private static String body(ScriptedClient client) {
    return client.receiveFirst(stanza -> stanza.child("body") != null).childText("body");
  }

  /// A component at each node in turn, so that its home is on another one for two of them.
  @Test
  void everyUserReachesItWhereverItIsConnected() {
    for (Member node : cluster.members()) {
      ScriptedClient gateway = component(node, GATEWAY);
      for (Member other : cluster.members()) {
        ScriptedClient user = user(other, "user" + other.name());
        say(user, GATEWAY, 1);
        assertThat(body(gateway)).isEqualTo("1");
        gateway.send(
            "<message from='x@%s' to='%s' id='r'><body>back</body></message>"
                .formatted(GATEWAY, user.jid()));
        assertThat(body(user)).isEqualTo("back");
        user.disconnect();
      }
      gateway.disconnect();
    }
  }

  /// What a user sends goes to one of the connections, on whatever node, and keeps its order.
  @Test
  void connectionsAtSeveralNodesShareTheUsers() throws InterruptedException {
    BlockingQueue<String> got = new LinkedBlockingQueue<>();
    for (Member node : cluster.members()) {
      ScriptedClient connection = component(node, GATEWAY);
      Thread.startVirtualThread(() -> {
        while (!connection.ended()) {
          XmlElement message = connection.receiveFirst(stanza -> stanza.child("body") != null);
          got.add(node.name() + " " + message.attribute("from") + " " + message.childText("body"));
        }
      });
    }
    Set<String> used = new HashSet<>();
    for (int i = 0; i < 12; i++) {
      ScriptedClient user = user(cluster.members().get(i % 3), "user" + i);
      for (int id = 0; id < 20; id++) {
        say(user, GATEWAY, id);
      }
      for (int id = 0; id < 20; id++) {
        String[] parts = String.valueOf(got.poll(30, TimeUnit.SECONDS)).split(" ");
        assertThat(List.of(parts)).containsExactly(parts[0], user.jid(), "" + id);
        used.add(parts[0]);
      }
    }
    assertThat(used).hasSize(3);
  }

  @Test
  void whatWaitsMovesWithTheHome() {
    ScriptedClient romeo = user(cluster.members().getFirst(), "romeo");
    for (int id = 0; id < 20; id++) {
      say(romeo, GATEWAY, id);
    }
    romeo.fence("sent");
    cluster.move(GATEWAY);
    for (int id = 20; id < 40; id++) {
      say(romeo, GATEWAY, id);
    }
    cluster.move(GATEWAY);
    ScriptedClient gateway = component(cluster.members().getLast(), GATEWAY);
    for (int id = 0; id < 40; id++) {
      assertThat(body(gateway)).isEqualTo("" + id);
    }
  }

  /// The stream ends and nothing that it was not sent is lost or comes twice.
  @Test
  void aConnectedComponentConnectsAgainWhenItsHomeMoves() {
    ScriptedClient romeo = user(cluster.members().getFirst(), "romeo");
    ScriptedClient gateway = component(cluster.members().getFirst(), GATEWAY);
    for (Member node : cluster.members()) {
      say(romeo, GATEWAY, 1);
      assertThat(body(gateway)).isEqualTo("1");
      cluster.move(GATEWAY);
      assertThat(gateway.awaitStreamError()).isEqualTo("system-shutdown");
      say(romeo, GATEWAY, 2);
      say(romeo, GATEWAY, 3);
      gateway = component(node, GATEWAY);
      assertThat(body(gateway)).isEqualTo("2");
      assertThat(body(gateway)).isEqualTo("3");
    }
  }

  @Test
  void theNodeOfTheHomeDies() throws IOException {
    Member home = cluster.homeOf(GATEWAY);
    Member other = cluster.members().stream().filter(each -> !each.equals(home)).toList().getLast();
    ScriptedClient gateway = component(other, GATEWAY);
    ScriptedClient romeo = userWithHomeNotAt(home, other);
    say(romeo, GATEWAY, 1);
    assertThat(body(gateway)).isEqualTo("1");
    cluster.kill(home);
    assertThat(gateway.awaitStreamError()).isEqualTo("system-shutdown");
    say(romeo, GATEWAY, 2);
    ScriptedClient again = component(other, GATEWAY);
    // The first one comes again if the node has not said that it was handled.
    again.receiveFirst(stanza -> "2".equals(stanza.attribute("id")));
  }

  private ScriptedClient userWithHomeNotAt(Member home, Member node) {
    for (int i = 0; ; i++) {
      String name = "user" + i;
      if (cluster.staysWithout(home, name + "@example.org")) {
        return user(node, name);
      }
    }
  }

  /// What its node had been given and had not left waits for another connection.
  @Test
  void theNodeOfTheStreamDies() {
    Member home = cluster.homeOf(GATEWAY);
    Member other = cluster.members().stream().filter(each -> !each.equals(home)).toList().getLast();
    ScriptedClient gateway = component(other, GATEWAY);
    ScriptedClient romeo = userWithHomeNotAt(other, home);
    say(romeo, GATEWAY, 1);
    assertThat(body(gateway)).isEqualTo("1");
    cluster.kill(other);
    say(romeo, GATEWAY, 2);
    ScriptedClient again = component(cluster.members().getFirst(), GATEWAY);
    // The first one comes again if its home did not get the report that its bytes had left.
    again.receiveFirst(stanza -> "2".equals(stanza.attribute("id")));
  }

  /// Every node has a route to a domain that only fits a pattern, while a component is connected.
  @Test
  void aDomainOfAPatternIsKnownEverywhere() {
    ScriptedClient news = component(cluster.members().getFirst(), NEWS);
    for (Member node : cluster.members()) {
      ScriptedClient user = user(node, "reader" + node.name());
      awaitRoute(user);
      news.skipUnread();
      say(user, NEWS, 7);
      assertThat(body(news)).isEqualTo("7");
    }
  }

  /// Asks until the answer is not that there is no such domain.
  private static void awaitRoute(ScriptedClient user) {
    String condition;
    int asked = 0;
    do {
      asked++;
      user.send(
          "<iq type='get' id='p%d' to='%s'><ping xmlns='urn:xmpp:ping'/></iq>"
              .formatted(asked, NEWS));
      user.send(
          "<iq type='get' id='f%d' to='example.org'><ping xmlns='urn:xmpp:ping'/></iq>"
              .formatted(asked));
      condition = user.receiveFirst(stanza -> stanza.localName().equals("iq")).attribute("type");
      if (condition != null && condition.equals("error")) {
        user.receiveFirst(stanza -> stanza.localName().equals("iq"));
      }
    } while ("error".equals(condition));
  }

  /// The node of an account need not have heard of a component before the component's first
  /// request.
  @Test
  void anAnswerFindsAComponentThatIsNotAnnouncedYet() {
    Member home = cluster.homeOf(NEWS);
    List<Member> others =
        cluster.members().stream().filter(member -> !member.equals(home)).toList();
    String account =
        Stream.iterate(0, i -> i + 1)
            .map(i -> "user" + i + "@example.org")
            .filter(name -> cluster.homeOf(name).equals(others.getFirst()))
            .findFirst()
            .orElseThrow();
    cluster.server(home).accounts(List.of(account));
    cluster.mute(home, others.getFirst());
    ScriptedClient news = component(others.getLast(), NEWS);
    news.send(
        "<iq type='get' id='p' from='%s' to='%s'><ping xmlns='urn:xmpp:ping'/></iq>"
            .formatted(NEWS, account));
    assertThat(news.receive().attribute("id")).isEqualTo("p");
  }
}
