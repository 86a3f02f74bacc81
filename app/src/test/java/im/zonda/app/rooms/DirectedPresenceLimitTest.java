package im.zonda.app.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The number of rooms that a session can be in is limited: one more is an error, and rooms that
/// the session has left do not count.
class DirectedPresenceLimitTest {
  private TestServer server;
  private ScriptedClient crone;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create).with("limits.directedPresences", 2).startInMemory();
    crone = server.connect("crone@example.org/desktop");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String address(String room) {
    return room + "@rooms.example.org/crone";
  }

  /// Sends presence to the room; returns the presence of the own occupant that comes back.
  private XmlElement presence(String room, String type, String payload) {
    crone.send(
        "<presence id='"
            + room
            + "' to='"
            + address(room)
            + "'"
            + (type.isEmpty() ? "" : " type='" + type + "'")
            + ">"
            + payload
            + "</presence>");
    return own(room);
  }

  private XmlElement own(String room) {
    return crone.receiveFirst(stanza ->
        stanza.localName().equals("presence") && address(room).equals(stanza.attribute("from")));
  }

  private XmlElement enter(String room) {
    return presence(room, "", "<x xmlns='http://jabber.org/protocol/muc'/>");
  }

  private void assertIsIn(String room) {
    XmlElement own = enter(room);
    assertThat(own.attribute("type")).as(own.toString()).isNull();
  }

  private void assertIsRefused(String room) {
    XmlElement own = enter(room);
    assertThat(own.attribute("type")).as(own.toString()).isEqualTo("error");
    assertThat(own.attribute("id")).isEqualTo(room);
    assertThat(own.condition()).isEqualTo("resource-constraint");
    assertThat(own.toString()).contains("<error type='wait'>");
  }

  @Test
  void oneRoomTooManyIsAnError() {
    assertIsIn("one");
    assertIsIn("two");
    assertIsRefused("three");
    assertThat(presence("one", "", "<show>away</show>").attribute("type")).isNull();
  }

  @Test
  void aRoomThatWasLeftDoesNotCount() {
    assertIsIn("one");
    assertIsIn("two");
    assertThat(presence("one", "unavailable", "").attribute("type")).isEqualTo("unavailable");
    assertIsIn("three");
    assertIsRefused("four");
  }

  @Test
  void aRoomThatRemovedTheSessionDoesNotCount() {
    assertIsIn("one");
    assertIsIn("two");
    crone.send(
        "<iq type='set' id='d' to='one@rooms.example.org'>"
            + "<query xmlns='http://jabber.org/protocol/muc#owner'><destroy/></query></iq>");
    assertThat(own("one").attribute("type")).isEqualTo("unavailable");
    assertIsIn("three");
  }

  @Test
  void aRoomThatDoesNotLetTheSessionInDoesNotCount() {
    try (ScriptedClient hag = server.connect("hag@example.org/pda")) {
      hag.send(
          "<presence to='locked@rooms.example.org/hag'><x xmlns='http://jabber.org/protocol/muc'/>"
              + "</presence>");
      hag.receive();
      assertIsIn("one");
      for (int i = 0; i < 3; i++) {
        assertThat(enter("locked").condition()).isEqualTo("item-not-found");
      }
      assertIsIn("two");
    }
  }

  /// The room rejects a change, and the session stays in it: the room is notified when the session
  /// ends.
  @Test
  void aRoomThatRefusesAChangeStillCounts() {
    try (ScriptedClient hag = server.connect("hag@example.org/pda")) {
      assertIsIn("one");
      crone.send(
          "<iq type='set' id='c' to='one@rooms.example.org'>"
              + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
      hag.send(
          "<presence to='one@rooms.example.org/hag'><x xmlns='http://jabber.org/protocol/muc'/>"
              + "</presence>");
      String tooLong = "<status>" + "x".repeat(9_000) + "</status>";
      assertThat(presence("one", "", "").attribute("type")).isNull();
      assertThat(presence("one", "", tooLong).condition()).isEqualTo("not-acceptable");
      crone.drop();
      XmlElement gone =
          hag.receiveFirst(stanza ->
              address("one").equals(stanza.attribute("from"))
                  && "unavailable".equals(stanza.attribute("type")));
      assertThat(gone.toString()).doesNotContain("'333'");
    }
  }
}
