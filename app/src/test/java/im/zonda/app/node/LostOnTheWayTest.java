package im.zonda.app.node;

import static im.zonda.app.node.RoomSteps.ROOM;
import static im.zonda.app.node.RoomSteps.configure;
import static im.zonda.app.node.RoomSteps.enter;
import static im.zonda.app.node.RoomSteps.heard;
import static im.zonda.app.node.RoomSteps.say;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A session moves to a node that accepts its state and dies: a third node recovers the session in
/// the state in which it left the first one.
@Timeout(60)
class LostOnTheWayTest {
  private static final String SM = "urn:xmpp:sm:3";

  /// What the nodes keep for each other when the session has lost its stream: it and the room.
  private static final int PARTS = 5;

  private TestCluster cluster;
  private Member room;
  private Member former;
  private Member dying;
  private Member heir;

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(ServerPlan.of(StandardModules::create).withStores(SharedLog::instead), 4);
    room = cluster.homeOf(ROOM);
    former = after(room);
    dying = after(former);
    heir = after(dying);
  }

  private Member after(Member member) {
    List<Member> members = cluster.members();
    return members.get((members.indexOf(member) + 1) % members.size());
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private String account(String name, Member home) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> name + i + "@example.org")
        .filter(each -> cluster.homeOf(each).equals(home))
        .findFirst()
        .orElseThrow();
  }

  /// An account whose home is always where that one's is.
  private String near(String other) {
    return IntStream.range(0, 100_000)
        .mapToObj(i -> "near" + i + "@example.org")
        .filter(each -> TestCluster.moveTogether(each, other))
        .findFirst()
        .orElseThrow();
  }

  private static void chat(ScriptedClient client, String to, String text) {
    client.send(
        "<message type='chat' to='%s' id='%s'><body>%s</body></message>".formatted(to, text, text));
  }

  private ScriptedClient negotiated(Member node, String account) {
    TestServer server = cluster.server(node);
    Login login = Login.of(account, TestServer.PASSWORD);
    return server.connected(login.security(), login.domain()).negotiate(login);
  }

  /// Enables stream management; returns the id of the session.
  private static String enable(ScriptedClient client) {
    client.send("<enable xmlns='" + SM + "' resume='true'/>");
    return Objects.requireNonNull(client.receiveFirst(e -> e.is(SM, "enabled")).attribute("id"));
  }

  @Test
  void theSessionGetsWhatTheNodeHadTaken() {
    String listener = account("listener", former);
    String witness = near(listener);
    try (ScriptedClient speaker = cluster.server(room).connect(account("speaker", room) + "/a");
        ScriptedClient beside = cluster.server(room).connect(witness + "/c")) {
      enter(speaker, "speaker");
      configure(speaker);
      enable(beside);
      enter(beside, "beside");
      ScriptedClient first = cluster.server(former).connect(listener + "/b");
      String id = enable(first);
      first.send("<presence/>");
      first.receiveFirst(e -> e.localName().equals("presence"));
      enter(first, "listener");
      say(speaker, "1");
      assertThat(heard(first)).isEqualTo("1");
      assertThat(heard(beside)).isEqualTo("1");
      first.drop();
      cluster.awaitCopies(PARTS);
      cluster.stopTicks();
      cluster.move(listener);
      say(speaker, "2");
      chat(speaker, listener + "/b", "3");
      assertThat(heard(beside)).isEqualTo("2");
      chat(speaker, witness + "/c", "4");
      assertThat(heard(beside)).isEqualTo("4");
      cluster.kill(dying, heir);
      assertThat(resumed(listener, id)).containsExactlyInAnyOrder("1", "2", "3");
    }
  }

  /// The messages for a client that resumes the session and has acknowledged nothing.
  private List<String> resumed(String account, String id) {
    List<String> heard = new ArrayList<>();
    try (ScriptedClient client = negotiated(room, account)) {
      client.send("<resume xmlns='" + SM + "' previd='" + id + "' h='0'/>");
      XmlElement answer = client.receiveFirst(e -> e.is(SM, "resumed") || e.is(SM, "failed"));
      assertThat(answer.localName()).as("%s", answer).isEqualTo("resumed");
      while (heard.size() < 3) {
        heard.add(heard(client));
      }
      client.fence("all", account);
      return heard;
    }
  }
}
