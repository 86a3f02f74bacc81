package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.config.copy.RecordCopy;
import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.stanza.Iq;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Accounts as all nodes see them, and requests that any node sends to their clients.
@Timeout(120)
class AccountsInClusterTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid HOST = Jid.of("example.org");

  private TestCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void add() {
    cluster.server(cluster.members().getFirst()).accounts(List.of(ROMEO.toString()));
  }

  /// Whatever node removes an account: its sessions end, wherever they are, and an account of the
  /// same name has nothing of it.
  @Test
  void anAccountThatIsRemovedHasNoSessionsAtAnyNode() {
    for (Member remover : cluster.members()) {
      for (Member node : cluster.members()) {
        add();
        ScriptedClient romeo = cluster.server(node).connect(ROMEO + "/garden");
        romeo.send("<presence/>");
        romeo.send(
            "<iq type='set' id='r'><query xmlns='jabber:iq:roster'>"
                + "<item jid='juliet@example.org'/></query></iq>");
        romeo.receiveFirst(stanza -> "r".equals(stanza.attribute("id")));
        remove(remover);
        assertThat(romeo.awaitStreamError()).isEqualTo("not-authorized");
        add();
        try (ScriptedClient again = cluster.server(node).connect(ROMEO + "/garden")) {
          again.send("<iq type='get' id='q'><query xmlns='jabber:iq:roster'/></iq>");
          XmlElement roster = again.receiveFirst(stanza -> "q".equals(stanza.attribute("id")));
          assertThat(roster.child("query").children()).isEmpty();
        }
      }
    }
  }

  private void remove(Member remover) {
    cluster.server(remover).stores().accounts().remove(ROMEO);
    cluster.server(remover).stores().accounts().release(ROMEO);
    cluster.server(remover).server().router().forget(ROMEO);
  }

  /// The client is connected to one node, its home is on another, and any node asks.
  @Test
  void anAnswerComesToTheNodeThatHasAsked() throws Exception {
    add();
    for (Member node : cluster.members()) {
      try (ScriptedClient romeo = cluster.server(node).connect(ROMEO + "/garden")) {
        for (Member asking : cluster.members()) {
          for (Jid from : List.of(HOST, Jid.of("juliet@example.org"))) {
            CompletableFuture<Iq> answer = new CompletableFuture<>();
            Iq request =
                Iq.of(
                    Iq.Type.GET,
                    from,
                    Jid.of(romeo.jid()),
                    "same",
                    Element.of(new QName("urn:xmpp:ping", "ping")));
            cluster
                .server(asking)
                .server()
                .router()
                .externalComponents()
                .request(request, HOST, Duration.ofMinutes(1), answer::complete);
            XmlElement asked = romeo.receiveFirst(each -> "same".equals(each.attribute("id")));
            romeo.send("<iq type='result' id='same' to='%s'/>".formatted(asked.attribute("from")));
            Iq got = answer.get(30, TimeUnit.SECONDS);
            assertThat(got.type()).isEqualTo(Iq.Type.RESULT);
            assertThat(got.from()).isEqualTo(Jid.of(romeo.jid()));
          }
        }
      }
    }
  }

  /// Each node reads its own files: those that serve something else are known.
  @Test
  void nodesThatServeOtherHostsAreKnown() {
    Member changed = cluster.members().getFirst();
    Set<Member> others = new HashSet<>(cluster.members());
    others.remove(changed);
    cluster
        .server(changed)
        .reload(config -> RecordCopy.with(config, "hosts", List.of("example.org", "more.example")));
    cluster
        .members()
        .forEach(node -> awaitDiffering(node, node.equals(changed) ? others : Set.of(changed)));
    cluster
        .server(changed)
        .reload(config -> RecordCopy.with(config, "hosts", List.of("example.org")));
    cluster.members().forEach(node -> awaitDiffering(node, Set.of()));
  }

  private void awaitDiffering(Member node, Set<Member> expected) {
    XmppServer server = cluster.server(node).server();
    Eventually.await(
        node + " sees which differ: " + expected,
        () -> server.differingNodes().keySet().equals(expected));
    Map<Member, SortedSet<String>> seen = server.differingNodes();
    assertThat(Set.copyOf(seen.keySet())).as("seen by %s", node).isEqualTo(expected);
    assertThat(seen.values()).as("seen by %s", node).allMatch(Set.of("hosts")::equals);
  }
}
