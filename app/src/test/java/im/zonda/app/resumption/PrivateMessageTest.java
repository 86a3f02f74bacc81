package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.FakeClock;
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

/// A private message in a room (XEP-0045, section 7.5) whose receiver cannot be reached: its sender
/// gets an error before the acknowledgement, or the message waits for the receiver's account.
final class PrivateMessageTest {
  private static final String ROOM = "hall@rooms.example.org";

  private final List<GatedStores> opened = new ArrayList<>();
  private TestServer server;
  private ScriptedClient juliet;
  private Managed romeo;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withClock(new FakeClock())
            .with("limits.offlineMessages", 1)
            .withStores(inner -> {
              opened.add(new GatedStores(inner));
              return opened.getFirst();
            })
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
    juliet = server.connect("juliet@example.org/balcony");
    enter(juliet, "juliet");
    romeo.client().receiveFirst(e -> from(e, "juliet"));
    commitAll();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// Lets the server handle what was sent, and the log commit all that waits.
  private void commitAll() {
    server.advance(Duration.ZERO);
    opened.getFirst().commitAll();
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

  private static boolean from(XmlElement stanza, String nick) {
    return (ROOM + "/" + nick).equals(stanza.attribute("from"));
  }

  private void write(String type, String id) {
    romeo
        .client()
        .send(
            "<message to='"
                + ROOM
                + "/juliet' type='"
                + type
                + "' id='"
                + id
                + "'><body>"
                + id
                + "</body></message>");
  }

  /// Sends a private message that reaches the room while the room is busy, so that the room has not
  /// yet learned that the receiver's session has ended.
  private void writeWhileTheSessionEnds(String type, String id) {
    // Storing the subject may block: it runs after the three stanzas have come in.
    juliet.send("<message to='" + ROOM + "' type='groupchat'><subject>s</subject></message>");
    write(type, id);
    juliet.drop();
  }

  /// What romeo gets up to the count that includes everything that he has sent, messages only.
  private List<XmlElement> messagesBeforeTheCount() {
    romeo.client().send("<r xmlns='" + Managed.SM + "'/>");
    romeo.client().send("<iq type='get' id='end'><ping xmlns='urn:xmpp:ping'/></iq>");
    List<XmlElement> messages = new ArrayList<>();
    while (true) {
      XmlElement next = romeo.client().receive();
      if (next.localName().equals("message") && next.child("subject") == null) {
        messages.add(next);
      }
      if (next.is(Managed.SM, "a")) {
        return messages;
      }
    }
  }

  private static void assertReturned(List<XmlElement> messages, String id, String condition) {
    assertThat(messages)
        .singleElement()
        .satisfies(error -> {
          assertThat(error.attribute("type")).isEqualTo("error");
          assertThat(error.attribute("id")).isEqualTo(id);
          assertThat(error.attribute("to")).isEqualTo("romeo@example.org/orchard");
          assertThat(error.attribute("from")).startsWith(ROOM);
          assertThat(error.condition()).isEqualTo(condition);
          assertThat(error.toString()).doesNotContain("juliet@example.org");
        });
  }

  @Test
  void ofTypeNormalIsReturnedWhenTheSessionHasEnded() {
    writeWhileTheSessionEnds("normal", "p1");
    romeo
        .client()
        .receiveFirst(e -> from(e, "juliet") && "unavailable".equals(e.attribute("type")));
    commitAll();
    assertReturned(messagesBeforeTheCount(), "p1", "item-not-found");
  }

  @Test
  void ofTypeChatWaitsForTheAccountWhenTheSessionHasEnded() {
    writeWhileTheSessionEnds("chat", "p1");
    romeo
        .client()
        .receiveFirst(e -> from(e, "juliet") && "unavailable".equals(e.attribute("type")));
    commitAll();
    assertThat(messagesBeforeTheCount()).isEmpty();
    ScriptedClient again = server.connect("juliet@example.org/chamber").send("<presence/>");
    XmlElement message = again.receiveFirst(e -> e.localName().equals("message"));
    assertThat(message.childText("body")).isEqualTo("p1");
    assertThat(message.attribute("from")).isEqualTo(ROOM + "/romeo");
  }

  @Test
  void isReturnedWhenTooManyMessagesWaitForTheReceiver() {
    Managed.enable(juliet);
    juliet.drop();
    write("chat", "p1");
    commitAll();
    assertThat(messagesBeforeTheCount()).isEmpty();
    write("chat", "p2");
    commitAll();
    assertReturned(messagesBeforeTheCount(), "p2", "resource-constraint");
  }

  @Test
  void isReturnedWhenItCannotBeStored() {
    write("chat", "p1");
    assertThat(juliet.receiveFirst(e -> e.localName().equals("message")).childText("body"))
        .isEqualTo("p1");
    // The sender's own copy is committed, the receiver's entry is not.
    opened.getFirst().commitOne();
    opened.getFirst().failOne();
    assertReturned(messagesBeforeTheCount(), "p1", "internal-server-error");
  }
}
