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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A private message in a room (XEP-0045, section 7.5) to an occupant with two sessions is one
/// message for the account, whatever has become of the sessions.
final class PrivateMessageSessionsTest {
  private static final String ROOM = "hall@rooms.example.org";
  private static final String JULIET = "juliet@example.org";

  private TestServer server;
  private Managed romeo;
  private ScriptedClient balcony;
  private ScriptedClient chamber;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withClock(new FakeClock())
            .with("limits.offlineMessages", 1)
            .startInMemory();
    romeo = Managed.online(server, "romeo@example.org/orchard");
    enter(romeo.client(), "romeo");
    romeo
        .client()
        .send(
            "<iq type='set' id='c' to='"
                + ROOM
                + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
                + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
    romeo.client().receiveFirst(e -> "c".equals(e.attribute("id")));
    balcony = server.connect(JULIET + "/balcony");
    enter(balcony, "juliet");
    chamber = server.connect(JULIET + "/chamber");
    enter(chamber, "juliet");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void enter(ScriptedClient client, String nick) {
    client.send(
        "<presence to='"
            + ROOM
            + "/"
            + nick
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(e -> e.child("subject") != null);
  }

  private void send(String type, String id) {
    romeo
        .client()
        .send(
            "<message to='%s/juliet' type='%s' id='%s'><body>%s</body></message>"
                .formatted(ROOM, type, id, id));
  }

  private void write(String type, String id) {
    send(type, id);
    server.advance(Duration.ZERO);
  }

  /// Sends a private message that reaches the room before the room learns that these sessions have
  /// ended.
  private void writeWhileSessionsEnd(String type, String id, ScriptedClient... ending) {
    // Storing the subject may block: it runs after the stanzas have come in.
    ending[0].send("<message to='" + ROOM + "' type='groupchat'><subject>s</subject></message>");
    send(type, id);
    for (ScriptedClient each : ending) {
      each.drop();
    }
    server.advance(Duration.ZERO);
  }

  private static XmlElement nextWithBody(ScriptedClient client) {
    return client.receiveFirst(e -> e.child("body") != null);
  }

  private static String stanzaId(XmlElement message) {
    XmlElement id = message.child("stanza-id");
    assertThat(id).isNotNull().returns(JULIET, each -> each.attribute("by"));
    return String.valueOf(id == null ? null : id.attribute("id"));
  }

  /// The conditions of the errors that romeo gets up to the answer to a request of his.
  private List<String> errors() {
    romeo.client().send("<iq type='get' id='end'><ping xmlns='urn:xmpp:ping'/></iq>");
    List<String> conditions = new ArrayList<>();
    while (true) {
      XmlElement next = romeo.client().receive();
      if (next.localName().equals("message") && "error".equals(next.attribute("type"))) {
        assertThat(next.attribute("from")).startsWith(ROOM);
        conditions.add(next.condition());
      }
      if ("end".equals(next.attribute("id"))) {
        return conditions;
      }
    }
  }

  /// What waits for the next session of the account.
  private List<String> offline() {
    ScriptedClient next = server.connect(JULIET + "/garden").send("<presence/>");
    next.send("<iq type='get' id='end'><ping xmlns='urn:xmpp:ping'/></iq>");
    List<String> bodies = new ArrayList<>();
    while (true) {
      XmlElement each = next.receive();
      if (each.child("body") != null) {
        bodies.add(each.childText("body"));
      }
      if ("end".equals(each.attribute("id"))) {
        return bodies;
      }
    }
  }

  @Test
  void whileBothAreAwayOneMessageWaits() {
    Managed.enable(balcony);
    Managed.enable(chamber);
    balcony.drop();
    chamber.drop();
    write("chat", "p1");
    assertThat(errors()).isEmpty();
    write("chat", "p2");
    assertThat(errors()).containsExactly("resource-constraint");
    assertThat(offline()).containsExactly("p1");
  }

  @Test
  void aSessionThatIsResumedGetsWhatThePlainOneHasHad() {
    Managed managed = Managed.enable(balcony);
    balcony.drop();
    write("chat", "p1");
    XmlElement first = nextWithBody(chamber);
    assertThat(first.attribute("to")).isEqualTo(JULIET + "/chamber");
    Login login =
        Login.of(JULIET + "/balcony", TestServer.PASSWORD).withSecurity(Login.Security.NONE);
    Managed.Attempt resumed = Managed.resume(server, login, managed.id(), 0);
    assertThat(resumed.answer().localName()).isEqualTo("resumed");
    XmlElement second = nextWithBody(resumed.client());
    assertThat(second.attribute("to")).isEqualTo(JULIET + "/balcony");
    assertThat(stanzaId(second)).isEqualTo(stanzaId(first));
    resumed.client().send("<a xmlns='" + Managed.SM + "' h='1'/>");
    assertThat(offline()).isEmpty();
  }

  @Test
  void whenOneHasEndedTheOtherGetsIt() {
    for (String type : List.of("chat", "normal")) {
      ScriptedClient third = server.connect(JULIET + "/third-" + type);
      enter(third, "juliet");
      writeWhileSessionsEnd(type, type, third);
      for (ScriptedClient each : List.of(balcony, chamber)) {
        assertThat(nextWithBody(each).childText("body")).isEqualTo(type);
      }
      assertThat(errors()).isEmpty();
    }
    assertThat(offline()).isEmpty();
  }

  @Test
  void whenNoneIsLeftOneErrorComesBack() {
    writeWhileSessionsEnd("normal", "p1", balcony, chamber);
    assertThat(errors()).containsExactly("item-not-found");
    assertThat(offline()).isEmpty();
  }

  @Test
  void whenNoneIsLeftChatWaitsForTheAccountOnce() {
    writeWhileSessionsEnd("chat", "p1", balcony, chamber);
    assertThat(errors()).isEmpty();
    assertThat(offline()).containsExactly("p1");
  }

  @Test
  void aBlockedAuthorGetsOneError() {
    balcony.send(
        "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'>"
            + "<item jid='romeo@example.org'/></block></iq>");
    balcony.receiveFirst(e -> "b".equals(e.attribute("id")));
    write("chat", "p1");
    assertThat(errors()).hasSize(1);
  }
}
