package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A stanza that the server has accepted reaches its receivers, whatever the bounds on bytes that
/// wait for them, and costs nobody a stream: by TCP, WebSocket and BOSH, with and without an edge.
final class LargeStanzaTest {
  /// More than twice what may wait for a connection, and less than a client may send.
  private static final String BODY = "x".repeat(200_000);

  private static final int BOUND = 65_536;

  private static TestServer start(ServerPlan.Access access) throws IOException {
    TestServer server =
        ServerPlan.of(StandardModules::create)
            .with("limits.outboundBytes", BOUND)
            .with("limits.unacknowledgedBytes", BOUND)
            .withAccess(access)
            .startOnSockets();
    server.accounts(List.of("romeo@example.org", "juliet@example.org"));
    return server;
  }

  private static boolean hasBody(XmlElement stanza) {
    return stanza.localName().equals("message") && BODY.equals(stanza.childText("body"));
  }

  private static void send(ScriptedClient from, String type, String to, String id) {
    from.send(
        "<message type='%s' to='%s' id='%s'><body>%s</body></message>"
            .formatted(type, to, id, BODY));
  }

  @ParameterizedTest
  @EnumSource(ServerPlan.Access.class)
  void aStoredMessageAboveTheBoundOfAConnectionArrives(ServerPlan.Access access)
      throws IOException {
    try (TestServer server = start(access);
        ScriptedClient romeo = server.connect("romeo@example.org/orchard")) {
      send(romeo, "chat", "juliet@example.org", "m1");
      send(romeo, "chat", "juliet@example.org", "m2");
      romeo.fence("stored");
      try (ScriptedClient juliet = server.connect("juliet@example.org/balcony")) {
        juliet.send("<presence/><iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
        assertThat(juliet.receiveFirst(LargeStanzaTest::hasBody).attribute("id")).isEqualTo("m1");
        assertThat(juliet.receiveFirst(LargeStanzaTest::hasBody).attribute("id")).isEqualTo("m2");
        juliet.fence("goes on");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ServerPlan.Access.class)
  void aManagedSessionGetsIt(ServerPlan.Access access) throws IOException {
    try (TestServer server = start(access);
        ScriptedClient romeo = server.connect("romeo@example.org/orchard")) {
      send(romeo, "chat", "juliet@example.org", "m1");
      romeo.fence("stored");
      try (ScriptedClient juliet = server.connect("juliet@example.org/balcony")) {
        juliet.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/><presence/>");
        juliet.receiveFirst(LargeStanzaTest::hasBody);
        juliet.fence("goes on");
        send(romeo, "headline", juliet.jid(), "m2");
        juliet.send("<a xmlns='urn:xmpp:sm:3' h='3'/>");
        juliet.receiveFirst(LargeStanzaTest::hasBody);
        juliet.fence("still goes on");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ServerPlan.Access.class)
  void occupantsStayInTheirRoom(ServerPlan.Access access) throws IOException {
    String room = "coven@rooms.example.org";
    try (TestServer server = start(access);
        ScriptedClient romeo = server.connect("romeo@example.org/orchard");
        ScriptedClient juliet = server.connect("juliet@example.org/balcony")) {
      enter(romeo, room + "/romeo");
      romeo.send(
          "<iq type='set' id='c' to='" + room + "'>"
              + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
      romeo.receiveFirst(each -> "c".equals(each.attribute("id")));
      enter(juliet, room + "/juliet");
      for (int i = 0; i < 3; i++) {
        send(romeo, "groupchat", room, "m" + i);
        assertThat(juliet.receiveFirst(LargeStanzaTest::hasBody).attribute("id"))
            .isEqualTo("m" + i);
        romeo.receiveFirst(LargeStanzaTest::hasBody);
      }
      juliet.fence("goes on");
      romeo.fence("goes on");
    }
  }

  private static void enter(ScriptedClient client, String occupant) {
    client.send(
        "<presence to='" + occupant + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(each -> each.localName().equals("message") && each.childText("subject") != null);
  }
}
