package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// An occupant of a room is a session and not a connection (XEP-0198 and XEP-0045): it stays in the
/// room when the connection breaks, for as long as the session can be resumed.
final class OccupantResumptionTest {
  private static final String ROOM = "hall@rooms.example.org";
  private static final Login JULIET =
      Login.of("juliet@example.org/balcony", TestServer.PASSWORD).withSecurity(Login.Security.NONE);

  private TestServer server;
  private ScriptedClient romeo;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withClock(new FakeClock()).startInMemory();
    romeo = server.connect("romeo@example.org/orchard");
    enter(romeo, "romeo");
    romeo.send(
        "<iq type='set' id='c' to='"
            + ROOM
            + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
    romeo.receiveFirst(e -> "c".equals(e.attribute("id")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// Enters, and returns how many stanzas have come up to the subject.
  private static int enter(ScriptedClient client, String nick) {
    client.send(
        "<presence to='"
            + ROOM
            + "/"
            + nick
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    int count = 0;
    while (true) {
      XmlElement next = client.receive();
      count += next.namespace().equals(Managed.SM) ? 0 : 1;
      if (next.child("subject") != null) {
        return count;
      }
    }
  }

  private static void say(ScriptedClient client, String body) {
    client.send("<message type='groupchat' to='" + ROOM + "'><body>" + body + "</body></message>");
  }

  private static void assertHears(ScriptedClient client, String nick, String body) {
    XmlElement message = client.receiveFirst(e -> !e.namespace().equals(Managed.SM));
    assertThat(message.attribute("from")).isEqualTo(ROOM + "/" + nick);
    assertThat(message.childText("body")).isEqualTo(body);
  }

  private void assertNothingHappens() {
    romeo.fence("nothing", ROOM);
    assertThat(romeo.unread()).isZero();
  }

  private void assertLeaves() {
    XmlElement presence = romeo.receive();
    assertThat(presence.attribute("type")).isEqualTo("unavailable");
    assertThat(presence.attribute("from")).isEqualTo(ROOM + "/juliet");
  }

  @Test
  void anOccupantStaysAndReceivesWhatWasSentMeanwhile() {
    Managed juliet = Managed.online(server, "juliet@example.org/balcony");
    int received = 1 + enter(juliet.client(), "juliet");
    assertThat(romeo.receive().attribute("from")).isEqualTo(ROOM + "/juliet");

    juliet.client().drop();
    server.advance(Duration.ofSeconds(30));
    assertNothingHappens();
    for (int i = 1; i <= 3; i++) {
      say(romeo, "m" + i);
      assertHears(romeo, "romeo", "m" + i);
    }
    server.advance(Duration.ofSeconds(30));
    Managed.Attempt again = Managed.resume(server, JULIET, juliet.id(), received);
    assertThat(again.answer().localName()).isEqualTo("resumed");
    for (int i = 1; i <= 3; i++) {
      assertHears(again.client(), "romeo", "m" + i);
    }
    assertNothingHappens();
    say(again.client(), "here I am");
    assertHears(again.client(), "juliet", "here I am");
    assertHears(romeo, "juliet", "here I am");
  }

  @Test
  void whenTheTimeIsOverTheOccupantLeaves() {
    Managed juliet = Managed.online(server, "juliet@example.org/balcony");
    int received = 1 + enter(juliet.client(), "juliet");
    romeo.receive();
    juliet.client().drop();
    say(romeo, "are you there?");
    assertHears(romeo, "romeo", "are you there?");

    Duration time = server.config().limits().resumeTime();
    server.advance(time.minusSeconds(1));
    assertNothingHappens();
    server.advance(Duration.ofSeconds(2));
    assertLeaves();
    Managed.Attempt late = Managed.resume(server, JULIET, juliet.id(), received);
    assertThat(late.answer().localName()).isEqualTo("failed");
    // The room's messages do not wait for her account: she receives them when she enters again.
    late.client().bind("balcony");
    late.client().send("<presence/>");
    late.client().fence("nothing");
    assertThat(late.client().unread()).isEqualTo(1);
  }

  @Test
  void aSessionWithoutResumptionLeavesWithItsConnection() {
    ScriptedClient juliet = server.connect("juliet@example.org/balcony");
    enter(juliet, "juliet");
    romeo.receive();
    juliet.drop();
    assertLeaves();
  }

  @Test
  void bindingTheSameResourceAgainLeavesTheRoom() {
    Managed juliet = Managed.online(server, "juliet@example.org/balcony");
    enter(juliet.client(), "juliet");
    romeo.receive();
    juliet.client().drop();

    ScriptedClient again = server.connect("juliet@example.org/balcony");
    assertLeaves();
    say(again, "hello?");
    assertThat(again.receiveFirst(e -> e.localName().equals("message")).condition())
        .isEqualTo("not-acceptable");
    enter(again, "juliet");
    assertThat(romeo.receive().attribute("type")).isNull();
    assertNothingHappens();
  }

  @Test
  void aResumedOccupantIsNotEnteredTwice() {
    Managed juliet = Managed.online(server, "juliet@example.org/balcony");
    int received = 1 + enter(juliet.client(), "juliet");
    romeo.receive();
    juliet.client().drop();
    Managed.Attempt again = Managed.resume(server, JULIET, juliet.id(), received);
    // Some clients enter their rooms again whatever happened.
    enter(again.client(), "juliet");
    assertThat(romeo.receive().attribute("type")).isNull();
    say(romeo, "once");
    assertHears(romeo, "romeo", "once");
    assertHears(again.client(), "romeo", "once");
    say(romeo, "no more");
    assertHears(again.client(), "romeo", "no more");
  }
}
