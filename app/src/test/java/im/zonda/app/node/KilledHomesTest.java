package im.zonda.app.node;

import static im.zonda.app.node.RoomSteps.ROOM;
import static im.zonda.app.node.RoomSteps.configure;
import static im.zonda.app.node.RoomSteps.enter;
import static im.zonda.app.node.RoomSteps.say;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
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

/// The node of a room or of an account is killed: the next one has its occupants, and its sessions
/// that wait for resumption.
class KilledHomesTest {
  private static final String SM = "urn:xmpp:sm:3";

  private TestCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 4);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Member other(Member... nodes) {
    return cluster.members().stream()
        .filter(each -> !List.of(nodes).contains(each))
        .findFirst()
        .orElseThrow();
  }

  // ---- rooms

  @Test
  void occupantsOfARoomStayWhenItsNodeIsKilled() {
    List<ScriptedClient> witches = new ArrayList<>();
    try {
      Member first = cluster.homeOf(ROOM);
      Member second = heir(first);
      for (int i = 0; i < 3; i++) {
        String nick = "witch" + i;
        ScriptedClient witch =
            cluster.server(other(first, second)).connect(stranger(i, first, second) + "/cauldron");
        witches.add(witch);
        enter(witch, nick);
        if (i == 0) {
          configure(witch);
        }
        witches.forEach(each -> each.fence("in" + nick));
      }
      witches.forEach(KilledHomesTest::manage);
      witches.forEach(ScriptedClient::skipUnread);
      talk(witches, 0);
      cluster.awaitCopies(3);
      cluster.kill(first);
      assertThat(cluster.homeOf(ROOM)).isEqualTo(second);
      talk(witches, 10);
      cluster.awaitCopies(3);
      cluster.kill(second);
      talk(witches, 20);
      leave(witches.getLast());
      witches.removeLast().close();
      cluster.awaitCopies(2);
      talk(witches, 30);
    } finally {
      witches.forEach(ScriptedClient::close);
    }
  }

  /// Without resumption: only for the server's counts.
  private static void manage(ScriptedClient client) {
    client.send("<enable xmlns='" + SM + "'/>");
    client.receiveFirst(e -> e.is(SM, "enabled"));
  }

  /// Everyone says something, and everyone gets it, once and in the same order, and nothing besides
  /// except that someone has left. Returns when all of it has been handled.
  private static void talk(List<ScriptedClient> witches, int from) {
    List<String> said = new ArrayList<>();
    for (int i = 0; i < witches.size(); i++) {
      say(witches.get(i), "" + (from + i));
      said.add("" + (from + i));
    }
    List<List<String>> heard = new ArrayList<>();
    for (ScriptedClient witch : witches) {
      List<String> bodies = new ArrayList<>();
      while (bodies.size() < witches.size()) {
        XmlElement stanza = witch.receive();
        if (stanza.localName().equals("message")) {
          bodies.add(stanza.childText("body"));
        } else {
          assertThat(stanza.is(SM, "r") || "unavailable".equals(stanza.attribute("type")))
              .as("%s", stanza)
              .isEqualTo(stanza.is(SM, "r") || from == 30);
        }
      }
      heard.add(bodies);
    }
    assertThat(heard).allSatisfy(each -> assertThat(each).isEqualTo(heard.getFirst()));
    assertThat(heard.getFirst()).containsExactlyInAnyOrderElementsOf(said);
    witches.forEach(witch -> witch.awaitHandled(from / 10 + 1));
  }

  private Member heir(Member member) {
    List<Member> members = cluster.members();
    return members.get((members.indexOf(member) + 1) % members.size());
  }

  private String stranger(int number, Member... nodes) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "witch" + number + "-" + i + "@example.org")
        .filter(name -> !List.of(nodes).contains(cluster.homeOf(name)))
        .findFirst()
        .orElseThrow();
  }

  private static void leave(ScriptedClient client) {
    client.send("<presence type='unavailable' to='%s/any'/>".formatted(ROOM));
    client.receiveFirst(stanza -> "unavailable".equals(stanza.attribute("type")));
  }

  // ---- sessions

  @Test
  void aSessionThatWaitsIsResumedAtAThirdNode() {
    String juliet = stranger(0);
    Member home = cluster.homeOf(juliet);
    Member heir = heir(home);
    Member third = other(home, heir);
    String romeo = stranger(1, home);
    ScriptedClient client = cluster.server(third).connect(juliet + "/balcony");
    client.send("<enable xmlns='" + SM + "' resume='true'/>");
    XmlElement enabled = client.receiveFirst(e -> e.is(SM, "enabled"));
    String id = Objects.requireNonNull(enabled.attribute("id"));
    client.send("<presence/>");
    client.receiveFirst(e -> e.localName().equals("presence"));
    try (ScriptedClient sender = cluster.server(third).connect(romeo + "/orchard")) {
      chat(sender, juliet, "1");
      assertThat(client.receiveFirst(KilledHomesTest::hasBody).childText("body")).isEqualTo("1");
      client.send("<a xmlns='" + SM + "' h='2'/>");
      client.send("<r xmlns='" + SM + "'/>");
      client.receiveFirst(e -> e.is(SM, "a"));
      client.drop();
      cluster.awaitCopies(1);
      chat(sender, juliet, "2");
      sender.fence("stored", juliet);
      cluster.kill(home, heir);
      chat(sender, juliet, "3");
      try (ScriptedClient again = resume(cluster.server(third), juliet, id, 2)) {
        assertThat(again.receiveFirst(KilledHomesTest::hasBody).childText("body")).isEqualTo("2");
        assertThat(again.receiveFirst(KilledHomesTest::hasBody).childText("body")).isEqualTo("3");
        chat(sender, juliet, "4");
        assertThat(again.receiveFirst(KilledHomesTest::hasBody).childText("body")).isEqualTo("4");
        cluster.awaitCopies(1); // the number of the resumption
      }
    }
  }

  /// The node of the left stream has not learned of that, and the one of the other stream has lost
  /// it: no snapshot is left with the count that the client has got.
  @Test
  void aSessionIsNotRecoveredFromAStreamThatItsClientHasLeft() {
    String juliet = stranger(0);
    Member home = cluster.homeOf(juliet);
    Member heir = heir(home);
    Member third = other(home, heir);
    Member fourth = other(home, heir, third);
    try (ScriptedClient left = cluster.server(third).connect(juliet + "/balcony")) {
      left.send("<enable xmlns='" + SM + "' resume='true'/>");
      XmlElement enabled = left.receiveFirst(e -> e.is(SM, "enabled"));
      left.send("<presence/>");
      left.receiveFirst(e -> e.localName().equals("presence"));
      left.awaitHandled(1);
      cluster.mute(home, third);
      String id = Objects.requireNonNull(enabled.attribute("id"));
      try (ScriptedClient current = resume(cluster.server(fourth), juliet, id, 1)) {
        current.send("<presence/>");
        current.awaitHandled(2);
        cluster.mute(home);
        current.drop();
        Eventually.await(
            "the session has no stream",
            () -> cluster.server(home).server().router().sessions().counts().detached() == 1);
      }
      cluster.kill(home, heir);
      assertThat(left.receiveFirst(e -> e.localName().equals("error")).children())
          .anyMatch(each -> each.localName().equals("conflict"));
      assertThat(cluster.server(heir).server().router().sessions().all()).isEmpty();
    }
  }

  private static ScriptedClient resume(TestServer server, String account, String id, int h) {
    Login login = Login.of(account, TestServer.PASSWORD);
    ScriptedClient client = server.connected(login.security(), login.domain()).negotiate(login);
    client.send("<resume xmlns='" + SM + "' previd='" + id + "' h='" + h + "'/>");
    XmlElement answer = client.receive();
    assertThat(answer.localName()).as("%s", answer).isEqualTo("resumed");
    return client;
  }

  private static boolean hasBody(XmlElement stanza) {
    return stanza.child("body") != null;
  }

  private static void chat(ScriptedClient client, String to, String text) {
    client.send(
        "<message type='chat' to='%s' id='%s'><body>%s</body></message>".formatted(to, text, text));
  }
}
