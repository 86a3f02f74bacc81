package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.cluster.Member;
import im.zonda.dns.ServerAddresses.Found;
import im.zonda.dns.Target;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.FakeAddresses;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Three nodes of `a.example` and one server of `b.example`.
@Timeout(180)
class ClusterFederationTest {
  private static final String A = TwoServers.A;
  private static final String B = TwoServers.B;
  private static final String PAIR = A + "/" + B;
  private static final int MESSAGES = 40;

  @TempDir private static Path folder = Path.of("");

  private final FakeAddresses addresses = new FakeAddresses();
  private final List<ScriptedClient> clients = new ArrayList<>();
  private @Nullable TestCluster cluster;
  private @Nullable TestServer other;

  @BeforeAll
  static void makeCertificates() {
    TwoServers.makeCertificates(folder);
  }

  private TestCluster cluster() {
    return Objects.requireNonNull(cluster);
  }

  private TestServer other() {
    return Objects.requireNonNull(other);
  }

  private void start(Mode mode) throws IOException {
    other = TwoServers.start(B, mode, folder, UnaryOperator.identity(), addresses);
    cluster =
        TestCluster.start(TwoServers.plan(A, mode, folder, UnaryOperator.identity(), addresses), 3);
    findNodes(mode, 0);
  }

  @AfterEach
  void stop() {
    clients.forEach(ScriptedClient::drop);
    cluster().close();
    other().close();
  }

  /// The other server connects to these nodes, the first one first.
  private void findNodes(Mode mode, int first) {
    List<Member> nodes = new ArrayList<>(cluster().members());
    Collections.rotate(nodes, first);
    boolean directTls = mode == Mode.DIRECT_TLS;
    List<Target> targets = new ArrayList<>();
    for (Member node : nodes) {
      InetSocketAddress address = cluster().server(node).serverAddress(directTls);
      targets.add(
          new Target(
              address.getHostString(),
              List.of(address.getAddress()),
              address.getPort(),
              directTls,
              List.of()));
    }
    addresses.answer(A, new Found.Targets(targets, false));
  }

  private ScriptedClient user(Member node, String name) {
    cluster().server(node).accounts(List.of(name + "@" + A));
    ScriptedClient client = cluster().server(node).connect(name + "@" + A + "/home");
    clients.add(client);
    client.send("<presence/>");
    client.receiveFirst(each -> client.jid().equals(each.attribute("from")));
    return client;
  }

  private ScriptedClient juliet() {
    ScriptedClient juliet = other().connect("juliet@" + B + "/balcony");
    clients.add(juliet);
    juliet.send("<presence/>");
    juliet.receiveFirst(each -> juliet.jid().equals(each.attribute("from")));
    return juliet;
  }

  private static void say(ScriptedClient from, String to, int number) {
    from.send(
        "<message type='chat' id='n%d' to='%s'><body>%d</body></message>"
            .formatted(number, to, number));
  }

  /// Receives all messages that each sender has sent, in order; none twice unless that is allowed.
  private static void receiveAll(ScriptedClient at, List<String> senders, boolean twice) {
    Map<String, Integer> next = new HashMap<>();
    senders.forEach(each -> next.put(each, 0));
    while (next.values().stream().anyMatch(count -> count < MESSAGES)) {
      XmlElement message = at.receiveFirst(each -> each.child("body") != null);
      String from = message.attribute("from");
      int number = Integer.parseInt(message.childText("body"));
      int expected = next.getOrDefault(from, 0);
      if (!twice || number >= expected) {
        assertThat(number).as("from %s", from).isEqualTo(expected);
        next.put(from, expected + 1);
      }
    }
  }

  /// Users of all nodes and the other server talk while the queue moves from node to node.
  @ParameterizedTest
  @EnumSource(names = {"DIRECT_TLS", "DIALBACK"})
  void messagesGoBothWaysWhileTheQueueMoves(Mode mode) throws IOException {
    start(mode);
    ScriptedClient juliet = juliet();
    List<ScriptedClient> users = new ArrayList<>();
    for (Member node : cluster().members()) {
      users.add(user(node, "user-" + node.name()));
    }
    for (int number = 0; number < MESSAGES; number++) {
      for (ScriptedClient user : users) {
        say(user, juliet.jid(), number);
        say(juliet, user.jid(), number);
      }
      if (number % 10 == 5) {
        cluster().move(PAIR);
        findNodes(mode, number / 10);
      }
    }
    receiveAll(juliet, users.stream().map(ScriptedClient::jid).toList(), false);
    users.forEach(user -> receiveAll(user, List.of(juliet.jid()), false));
  }

  /// What was queued at a node that dies is sent by the next one.
  @ParameterizedTest
  @EnumSource(names = {"DIRECT_TLS", "DIALBACK"})
  void nothingIsLostWhenTheNodeOfTheQueueDies(Mode mode) throws IOException {
    start(mode);
    ScriptedClient juliet = juliet();
    Member victim = cluster().homeOf(PAIR);
    Member node = cluster().members().stream().filter(each -> !each.equals(victim)).toList().get(0);
    List<ScriptedClient> users = new ArrayList<>();
    for (int i = 0; users.size() < 2; i++) {
      if (cluster().staysWithout(victim, "user" + i + "@" + A)) {
        users.add(user(node, "user" + i));
      }
    }
    for (int number = 0; number < MESSAGES; number++) {
      for (ScriptedClient user : users) {
        say(user, juliet.jid(), number);
        say(juliet, user.jid(), number);
      }
      if (number == MESSAGES / 2) {
        cluster().kill(victim);
      }
    }
    receiveAll(juliet, users.stream().map(ScriptedClient::jid).toList(), true);
    users.forEach(user -> receiveAll(user, List.of(juliet.jid()), true));
  }
}
