package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.link.SessionVersion;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.StreamEvent;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client that is connected to the node of its home keeps its session when that node is killed.
@Timeout(60)
class MirroredSessionsTest {
  private static final String SM = "urn:xmpp:sm:3";
  private static final String JULIET = "juliet@example.org";
  private static final Duration LATE = Duration.ofSeconds(4);

  /// The parts of a session that has a stream.
  private static final int PARTS = 3;

  private FakeClock clock;
  private TestCluster cluster;
  private Member home;
  private Member third;
  private String romeo;

  @BeforeEach
  void start() throws IOException {
    clock = new FakeClock();
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create).withClock(clock), 3);
    home = cluster.homeOf(JULIET);
    List<Member> members = cluster.members();
    third = members.get((members.indexOf(home) + 2) % members.size());
    romeo = account(true);
  }

  private String account(boolean atTheSameHome) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "romeo" + i + "@example.org")
        .filter(each -> cluster.homeOf(each).equals(home) == atTheSameHome)
        .findFirst()
        .orElseThrow();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static final class Managed {
    final ScriptedClient client;
    final String id;

    Managed(ScriptedClient client) {
      this.client = client;
      client.send("<enable xmlns='" + SM + "' resume='true'/>");
      id = Objects.requireNonNull(client.receiveFirst(e -> e.is(SM, "enabled")).attribute("id"));
      client.send("<presence/>");
      client.receiveFirst(e -> e.localName().equals("presence"));
    }
  }

  private Managed juliet() {
    return new Managed(cluster.server(home).connect(JULIET + "/balcony"));
  }

  private static void chat(ScriptedClient client, String to, String text) {
    client.send(
        "<message type='chat' to='%s' id='%s'><body>%s</body></message>".formatted(to, text, text));
  }

  private static String heard(ScriptedClient client) {
    return String.valueOf(client.receiveFirst(e -> e.child("body") != null).childText("body"));
  }

  /// Longer than any patience.
  private void waitInVain(ScriptedClient other) {
    for (int i = 0; i < 5; i++) {
      cluster.tick();
      other.fence("tick" + i, JULIET);
      clock.advance(LATE);
    }
  }

  private Member standby() {
    List<Member> members = cluster.members();
    return members.get((members.indexOf(home) + 1) % members.size());
  }

  /// The version of the session at its present home.
  private SessionVersion version() {
    return cluster.server(cluster.homeOf(JULIET)).server().router().sessions().all().stream()
        .filter(each -> each.jid().toString().equals(JULIET + "/balcony"))
        .findFirst()
        .orElseThrow()
        .version();
  }

  private static ScriptedClient negotiated(TestServer server) {
    Login login = Login.of(JULIET, TestServer.PASSWORD);
    return server.connected(login.security(), login.domain()).negotiate(login);
  }

  private static XmlElement resume(ScriptedClient client, String id, int h) {
    client.send("<resume xmlns='" + SM + "' previd='" + id + "' h='" + h + "'/>");
    return client.receiveFirst(e -> e.is(SM, "resumed") || e.is(SM, "failed"));
  }

  @Test
  void aClientOfItsHomesNodeResumesAtAThirdNode() {
    String nurse = account(false);
    Managed juliet = juliet();
    try (ScriptedClient sender = cluster.server(third).connect(nurse + "/chamber")) {
      chat(sender, JULIET, "1");
      assertThat(heard(juliet.client)).isEqualTo("1");
      chat(juliet.client, nurse + "/chamber", "2");
      assertThat(heard(sender)).isEqualTo("2");
      juliet.client.awaitHandled(2);
      chat(sender, JULIET, "3");
      assertThat(heard(juliet.client)).isEqualTo("3");
      cluster.awaitCopies(PARTS);
      cluster.kill(home);
      chat(sender, JULIET, "4");
      try (ScriptedClient again = negotiated(cluster.server(third))) {
        XmlElement resumed = resume(again, juliet.id, 2);
        assertThat(resumed.localName()).as("%s", resumed).isEqualTo("resumed");
        assertThat(resumed.attribute("h")).isEqualTo("2");
        assertThat(heard(again)).as("not acknowledged").isEqualTo("3");
        assertThat(heard(again)).isEqualTo("4");
        chat(again, nurse + "/chamber", "5");
        assertThat(heard(sender)).isEqualTo("5");
        again.awaitHandled(3);
      }
    } finally {
      juliet.client.close();
    }
  }

  /// The count for the client does not go back, because it waits for the replica.
  @Test
  void anAcknowledgementWaitsForTheCopy() {
    Managed juliet = juliet();
    juliet.client.awaitHandled(1);
    cluster.awaitCopies(PARTS);
    cluster.mute(home);
    try (ScriptedClient garden = cluster.server(home).connect(JULIET + "/garden")) {
      juliet.client.fence("handled", JULIET);
      cluster.tick();
      garden.fence("tick", JULIET);
      assertThat(juliet.client.handled()).isEqualTo(1);
    }
    cluster.kill(home);
    try (ScriptedClient again = negotiated(cluster.server(third))) {
      XmlElement resumed = resume(again, juliet.id, 1);
      assertThat(resumed.localName()).as("%s", resumed).isEqualTo("resumed");
      assertThat(resumed.attribute("h")).isEqualTo("1");
    } finally {
      juliet.client.close();
    }
  }

  /// It has the old replica, and may recover the session from it, until it is evicted.
  @Test
  void anAcknowledgementWaitsForAStandbyUntilItIsEvicted() {
    Managed juliet = juliet();
    juliet.client.awaitHandled(1);
    cluster.mute(standby());
    try (ScriptedClient garden = cluster.server(home).connect(JULIET + "/garden")) {
      juliet.client.fence("one", JULIET);
      waitInVain(garden);
      assertThat(juliet.client.handled()).isEqualTo(1);
    }
    cluster.kill(standby());
    juliet.client.awaitHandled(2);
    juliet.client.close();
  }

  /// The copy of a session that waits must not be resumed once the client has been told that it has
  /// been resumed.
  @Test
  void aResumptionWaitsUntilNoOlderCopyIsLeft() {
    Managed juliet = juliet();
    juliet.client.awaitHandled(1);
    juliet.client.drop();
    cluster.awaitCopies(1);
    cluster.mute(home);
    try (ScriptedClient again = negotiated(cluster.server(home))) {
      try (ScriptedClient garden = cluster.server(home).connect(JULIET + "/garden")) {
        again.send("<resume xmlns='" + SM + "' previd='" + juliet.id + "' h='1'/>");
        waitInVain(garden);
      }
      cluster.kill(home);
      assertThat(untilTheEnd(again)).noneMatch(each -> each.localName().equals("resumed"));
    }
    try (ScriptedClient again = negotiated(cluster.server(third))) {
      assertThat(resume(again, juliet.id, 1).localName()).isEqualTo("resumed");
    }
  }

  /// The first stream that asks is lost before the copy is gone: the next one waits for that, too.
  @Test
  void anotherResumptionWaitsForTheSameCopy() {
    Managed juliet = juliet();
    juliet.client.awaitHandled(1);
    juliet.client.drop();
    cluster.awaitCopies(1);
    cluster.stopTicks(); // the session is not copied again
    cluster.mute(home, standby());
    try (ScriptedClient garden = cluster.server(third).connect(JULIET + "/garden");
        ScriptedClient last = negotiated(cluster.server(third))) {
      try (ScriptedClient first = negotiated(cluster.server(third))) {
        first.send("<resume xmlns='" + SM + "' previd='" + juliet.id + "' h='1'/>");
        garden.fence("asked", JULIET);
        first.drop();
        first.awaitEnd(ScriptedClient.PATIENCE);
      }
      garden.fence("lost", JULIET);
      last.send("<resume xmlns='" + SM + "' previd='" + juliet.id + "' h='1'/>");
      garden.fence("asked again", JULIET);
      assertThatThrownBy(() -> last.next(Duration.ofMillis(1))).hasMessageContaining("nothing");
      cluster.kill(home);
      XmlElement resumed = last.receive();
      assertThat(resumed.localName()).as("%s", resumed).isEqualTo("resumed");
      assertThat(resumed.attribute("h")).isEqualTo("1");
    }
  }

  private static List<XmlElement> untilTheEnd(ScriptedClient client) {
    List<XmlElement> received = new ArrayList<>();
    StreamEvent event = client.next(ScriptedClient.PATIENCE);
    while (event instanceof StreamEvent.Received(XmlElement element)) {
      received.add(element);
      event = client.next(ScriptedClient.PATIENCE);
    }
    return received;
  }

  @Test
  void aResumptionGoesOnOnceItsStandbyIsEvicted() {
    Managed juliet = juliet();
    juliet.client.awaitHandled(1);
    juliet.client.drop();
    cluster.awaitCopies(1);
    cluster.mute(standby());
    try (ScriptedClient again = negotiated(cluster.server(home))) {
      again.send("<resume xmlns='" + SM + "' previd='" + juliet.id + "' h='1'/>");
      try (ScriptedClient garden = cluster.server(home).connect(JULIET + "/garden")) {
        waitInVain(garden);
      }
      cluster.kill(standby());
      assertThat(again.receive().localName()).isEqualTo("resumed");
    }
  }

  /// The client has been sent what the copy does not have: it begins again and loses nothing.
  @Test
  void aClientThatHasMoreThanTheCopyBeginsAgain() {
    Managed juliet = juliet();
    juliet.client.awaitHandled(1);
    cluster.awaitCopies(PARTS);
    cluster.mute(home);
    try (ScriptedClient sender = cluster.server(home).connect(romeo + "/orchard")) {
      chat(sender, JULIET, "1");
      assertThat(heard(juliet.client)).isEqualTo("1");
      sender.fence("stored", JULIET);
    }
    cluster.kill(home);
    try (ScriptedClient sender = cluster.server(third).connect(romeo + "/orchard")) {
      chat(sender, JULIET, "2");
      sender.fence("delivered", JULIET);
      try (ScriptedClient again = negotiated(cluster.server(third))) {
        XmlElement failed = resume(again, juliet.id, 2);
        assertThat(failed.localName()).as("%s", failed).isEqualTo("failed");
        assertThat(failed.attribute("h")).isEqualTo("1");
        again.bind("balcony");
        again.send("<presence/>");
        assertThat(heard(again)).isEqualTo("1");
        assertThat(heard(again)).isEqualTo("2");
      }
    } finally {
      juliet.client.close();
    }
  }

  /// The session is complete after it has been resumed from a copy: it is copied again.
  @Test
  void aSessionSurvivesItsNodesOneAfterTheOther() {
    Managed juliet = juliet();
    juliet.client.awaitHandled(1);
    cluster.awaitCopies(PARTS);
    SessionVersion first = version();
    cluster.kill(home);
    Member second = cluster.homeOf(JULIET);
    try (ScriptedClient again = negotiated(cluster.server(second))) {
      assertThat(resume(again, juliet.id, 1).localName()).isEqualTo("resumed");
      again.fence("here", JULIET);
      again.awaitHandled(2);
      cluster.awaitCopies(PARTS);
      assertThat(version().resumptions()).isGreaterThan(first.resumptions());
      first = version();
      cluster.kill(second);
    }
    try (ScriptedClient last = negotiated(cluster.server(third))) {
      XmlElement resumed = resume(last, juliet.id, 2);
      assertThat(resumed.localName()).as("%s", resumed).isEqualTo("resumed");
      assertThat(resumed.attribute("h")).isEqualTo("2");
      cluster.awaitCopies(1); // the number of the resumption
      assertThat(version().resumptions()).isGreaterThan(first.resumptions());
      assertThat(version().handled()).isEqualTo(first.handled());
    } finally {
      juliet.client.close();
    }
  }

  @Test
  void aSessionThatEndsHasNoCopy() {
    Managed juliet = juliet();
    juliet.client.awaitHandled(1);
    cluster.awaitCopies(PARTS);
    juliet.client.disconnect();
    cluster.awaitCopies(0);
  }
}
