package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.BoshNetwork;
import im.zonda.testkit.client.BoshWire;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.LossyBosh;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// BOSH in a cluster: any node takes any request.
@Timeout(120)
final class BoshInClusterTest {
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.org";
  private static final int MESSAGES = 40;
  private static final Pattern SID = Pattern.compile(" sid='([^']+)'");

  private TestCluster cluster;
  private List<BoshNetwork> nodes;

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(
            ServerPlan.of(StandardModules::create).withAccess(ServerPlan.Access.BOSH), 3);
    cluster.accounts(List.of(ROMEO, JULIET));
    nodes = cluster.members().stream().map(this::network).toList();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private BoshNetwork network(Member node) {
    return BoshNetwork.https(
        cluster.server(node).address(Login.Security.DIRECT_TLS), "example.org");
  }

  /// Each request goes to another node than the one before.
  private BoshNetwork inTurn() {
    AtomicInteger next = new AtomicInteger();
    return body -> nodes.get(next.getAndIncrement() % nodes.size()).post(body);
  }

  private static ScriptedClient client(BoshNetwork network, String account) {
    Login login = Login.of(account + "/b", TestServer.PASSWORD);
    return new ScriptedClient(BoshWire.over(network))
        .login(login.withSecurity(Login.Security.DIRECT_TLS));
  }

  private static String message(String to, int number, String body) {
    return "<message to='%s/b' id='m%d' type='chat'><body>%s</body></message>"
        .formatted(to, number, body);
  }

  private static List<String> received(ScriptedClient client) {
    List<String> ids = new ArrayList<>();
    while (ids.size() < MESSAGES) {
      ids.add(
          String.valueOf(
              client.receiveFirst(each -> each.localName().equals("message")).attribute("id")));
    }
    return ids;
  }

  @Test
  void anyNodeTakesAnyRequest() throws Exception {
    LossyBosh network = new LossyBosh(inTurn(), 7);
    try (ScriptedClient romeo = client(network, ROMEO);
        ScriptedClient juliet = client(network, JULIET)) {
      List<String> numbers = new ArrayList<>();
      for (int i = 0; i < MESSAGES; i++) {
        romeo.send(message(JULIET, i, "short"));
        juliet.send(message(ROMEO, i, "x".repeat(i * 1_000)));
        numbers.add("m" + i);
      }
      assertThat(received(juliet)).isEqualTo(numbers);
      assertThat(received(romeo)).isEqualTo(numbers);
      romeo.fence("f1");
      juliet.fence("f2");
      assertThat(romeo.unread() + juliet.unread()).isZero();
    }
    assertThat(network.losses()).isGreaterThan(5);
  }

  // ---- by hand

  private static String body(long rid, String attributes) {
    return "<body xmlns='http://jabber.org/protocol/httpbind' rid='%d' %s/>"
        .formatted(rid, attributes);
  }

  /// Creates a session at the first node; returns its identifier.
  private String created() throws IOException {
    String answer =
        nodes
            .getFirst()
            .post(
                body(
                    1,
                    "to='example.org' wait='60' hold='1' ver='1.11' xmpp:version='1.0'"
                        + " xmlns:xmpp='urn:xmpp:xbosh'"));
    Matcher matcher = SID.matcher(answer);
    assertThat(matcher.find()).as(answer).isTrue();
    return matcher.group(1);
  }

  @Test
  void row95_nothingIsForwardedForAnIdentifierThatIsMadeUp() throws Exception {
    String sid = created();
    int last = sid.length() - 1;
    char other = sid.charAt(last) == '0' ? '1' : '0';
    for (String wrong :
        List.of(sid.substring(0, last) + other, "x" + sid, "x.y", "node0.1", sid + "." + sid)) {
      assertThat(nodes.get(1).post(body(2, "sid='" + wrong + "'")))
          .contains("type='terminate'", "condition='item-not-found'");
    }
    assertThat(sid).doesNotContain("node");
    assertThat(nodes.get(1).post(body(2, "sid='" + sid + "' type='terminate'")))
        .contains("type='terminate'")
        .doesNotContain("condition");
  }

  private CompletableFuture<String> posted(int node, String body) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return nodes.get(node).post(body);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  @Test
  void aSessionEndsWithItsNode() throws Exception {
    String sid = created();
    String failing =
        body(2, "sid='" + sid + "'")
            .replace(
                "/>", "><auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='NONE'/></body>");
    assertThat(nodes.get(1).post(failing)).contains("<failure").doesNotContain("terminate");
    CompletableFuture<String> held = posted(2, body(3, "sid='" + sid + "'"));
    cluster.kill(cluster.members().getFirst());
    assertThat(held.get(60, TimeUnit.SECONDS)).contains("condition='item-not-found'");
    assertThat(nodes.get(1).post(body(4, "sid='" + sid + "'")))
        .contains("condition='item-not-found'");
  }

  @Test
  void aRequestThatCannotBeReadEndsTheSessionOfAnotherNode() throws Exception {
    String sid = created();
    String unreadable = body(2, "sid='" + sid + "'").replace("/>", "><a></b></body>");
    assertThat(nodes.get(1).post(unreadable)).contains("condition='bad-request'");
    assertThat(nodes.get(2).post(body(2, "sid='" + sid + "'"))).contains("type='terminate'");
  }
}
