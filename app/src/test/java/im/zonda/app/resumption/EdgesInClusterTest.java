package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.relay.TcpRelay;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestEdge;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients of an edge before the nodes of a cluster stay connected when a node leaves or dies.
final class EdgesInClusterTest {
  private static final String ROMEO = "romeo@example.org/orchard";
  private static final String JULIET = "juliet@example.org/balcony";
  private static final int NODES = 3;
  private static final int WORDS = 240;

  @TempDir private Path certificates = Path.of("");
  private final Map<Member, TcpRelay> relays = new HashMap<>();
  private TestCluster cluster;
  private TestEdge edge;

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), NODES);
    cluster.accounts(List.of("romeo@example.org", "juliet@example.org"));
    List<Integer> ports = new ArrayList<>();
    for (Member member : cluster.members()) {
      int port = cluster.server(member).acceptEdges(0, certificates);
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      TcpRelay relay = new TcpRelay(() -> address);
      relays.put(member, relay);
      ports.add(relay.address().getPort());
    }
    edge = server(0).newEdge(ports, certificates);
    Eventually.await(
        "the edges are there",
        () -> cluster.members().stream().allMatch(each -> cluster.server(each).edges() == 1));
  }

  @AfterEach
  void stop() throws IOException {
    edge.close();
    for (TcpRelay relay : relays.values()) {
      relay.close();
    }
    cluster.close();
  }

  private TestServer server(int index) {
    return cluster.server(cluster.members().get(index));
  }

  private Managed online(String address) throws IOException {
    return Managed.enable(edge.connect(address)).available();
  }

  private static void chat(Managed from, String to, String body) {
    from.client().send("<message type='chat' to='" + to + "'><body>" + body + "</body></message>");
  }

  /// The nodes at which the edge has streams.
  private List<Member> cores() {
    return cluster.members().stream()
        .filter(each -> cluster.server(each).edgeStreams() > 0)
        .toList();
  }

  private void kill(Member member) throws IOException {
    Objects.requireNonNull(relays.get(member)).close();
    List<Member> others = cluster.members().stream().filter(each -> !each.equals(member)).toList();
    cluster.kill(member, others.getFirst());
  }

  /// The cores of both clients die one after the other, and with them the homes if they are there.
  private void assertTalkGoesOn(boolean withHomes) throws IOException {
    try (Managed romeo = online(ROMEO)) {
      Member first = cores().getFirst();
      Member last =
          cluster.members().stream().filter(each -> !each.equals(first)).toList().getLast();
      cluster.install(List.of(withHomes ? first : last));
      try (Managed juliet = online(JULIET)) {
        assertThat(cores()).hasSize(2);
        chat(romeo, JULIET, "before");
        assertThat(juliet.nextBody()).isEqualTo("before");
        long before = romeo.handled();
        kill(first);
        chat(romeo, JULIET, "after");
        assertThat(juliet.nextBody()).isEqualTo("after");
        assertThat(romeo.handled()).isEqualTo(before + 1);
        chat(juliet, ROMEO, "answer");
        assertThat(romeo.nextBody()).isEqualTo("answer");
      }
    }
  }

  @Test
  void clientsStayConnectedWhenTheirCoreDies() throws IOException {
    assertTalkGoesOn(false);
  }

  @Test
  void clientsStayConnectedWhenTheirCoreDiesAndTheirHomesWithIt() throws IOException {
    assertTalkGoesOn(true);
  }

  /// First at a node that is not the core, then with what that made.
  @Test
  void aSessionOutlivesOneNodeAfterTheOther() throws IOException {
    try (Managed romeo = online(ROMEO);
        Managed juliet = online(JULIET)) {
      for (int i = 0; i < NODES - 1; i++) {
        chat(romeo, JULIET, "before " + i);
        assertThat(juliet.nextBody()).isEqualTo("before " + i);
        romeo.handled();
        juliet.handled();
        kill(cluster.members().getFirst());
        chat(romeo, JULIET, "after " + i);
        assertThat(juliet.nextBody()).isEqualTo("after " + i);
      }
    }
  }

  @Test
  void coresLeaveAndNothingIsLostRepeatedOrOutOfOrder() throws IOException {
    try (Managed romeo = online(ROMEO);
        Managed juliet = online(JULIET)) {
      for (int i = 0; i < WORDS; i++) {
        chat(romeo, JULIET, "word " + i);
        if (i % 40 == 20) {
          TestServer leaving = server(i / 40 % NODES);
          leaving.leaveEdges(true);
          Eventually.await("its streams are elsewhere", () -> leaving.edgeStreams() == 0);
          leaving.leaveEdges(false);
        }
      }
      for (int i = 0; i < WORDS; i++) {
        assertThat(juliet.nextBody()).isEqualTo("word " + i);
      }
      assertThat(romeo.handled()).isEqualTo(WORDS + 1);
      chat(romeo, JULIET, "the last");
      assertThat(juliet.nextBody()).isEqualTo("the last");
    }
  }

  /// The session is on the way to another core as soon as the client has its answer.
  @Test
  void aClientThatResumesWhileItsCoreLeavesIsAnswered() throws IOException {
    Managed before = online(ROMEO);
    ManagedClient.drop(before.client());
    Login login = Login.of(ROMEO, TestServer.PASSWORD).withSecurity(Login.Security.STARTTLS);
    try (ScriptedClient client = edge.connected().negotiate(login)) {
      List<TestServer> leaving = cores().stream().map(cluster::server).toList();
      leaving.forEach(core -> core.leaveEdges(true));
      client.send("<resume xmlns='" + Managed.SM + "' previd='" + before.id() + "' h='0'/>");
      assertThat(client.receiveFirst(e -> e.namespace().equals(Managed.SM)).localName())
          .isEqualTo("resumed");
      Managed after = new Managed(client, before.id());
      chat(after, ROMEO, "note");
      assertThat(after.nextBody()).isEqualTo("note");
      Eventually.await(
          "it is elsewhere", () -> leaving.stream().allMatch(core -> core.edgeStreams() == 0));
      assertThat(after.handled()).isEqualTo(2);
    }
  }

  /// The core that leaves lets it finish; as soon as the session can be resumed, it goes.
  @Test
  void aStreamThatNegotiatesWhileItsCoreLeavesGoesAfterIt() throws IOException {
    Login login = Login.of(ROMEO, TestServer.PASSWORD).withSecurity(Login.Security.STARTTLS);
    try (ScriptedClient client = edge.connected().negotiate(login)) {
      TestServer core = cluster.server(cores().getFirst());
      core.leaveEdges(true);
      client.send("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>");
      assertThat(client.receive().attribute("type")).isEqualTo("result");
      assertThat(core.edgeStreams()).isEqualTo(1);
      Managed romeo = Managed.enable(client).available();
      Eventually.await("the edges are there", () -> core.edgeStreams() == 0);
      assertThat(romeo.handled()).isEqualTo(1);
      try (Managed juliet = online(JULIET)) {
        assertThat(core.edgeStreams()).isEqualTo(0);
        chat(juliet, ROMEO, "here");
        assertThat(romeo.nextBody()).isEqualTo("here");
      }
    }
  }
}
