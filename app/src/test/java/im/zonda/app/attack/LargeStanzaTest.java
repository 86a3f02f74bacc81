package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A stanza that the server has accepted reaches its receivers, whatever the bounds on bytes that
/// wait for them, and costs nobody a stream: by TCP, WebSocket and BOSH, with and without an edge.
final class LargeStanzaTest {
  /// More than twice what may wait for a connection, and less than a client may send.
  private static final String BODY = "x".repeat(200_000);

  private static final int BOUND = 65_536;

  private static TestServer start(ServerPlan.Access access) throws IOException {
    return start(
        ServerPlan.of(StandardModules::create)
            .with("limits.outboundBytes", BOUND)
            .with("limits.unacknowledgedBytes", BOUND),
        access);
  }

  private static TestServer start(ServerPlan plan, ServerPlan.Access access) throws IOException {
    TestServer server = plan.withAccess(access).startOnSockets();
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
        // Two that are not acknowledged would exceed the bound of what is kept for her.
        juliet.send("<a xmlns='urn:xmpp:sm:3' h='3'/>");
        juliet.fence("has acknowledged");
        send(romeo, "headline", juliet.jid(), "m2");
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
          "<iq type='set' id='c' to='"
              + room
              + "'>"
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

  /// Escapes make it larger than what came in.
  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EDGE", "BOSH", "EDGE_BOSH"})
  void anAttributeOfQuotesArrives(ServerPlan.Access access) throws IOException {
    String quotes = "'".repeat(100_000);
    try (TestServer server = start(ServerPlan.of(StandardModules::create), access);
        ScriptedClient romeo = server.connect("romeo@example.org/orchard");
        ScriptedClient juliet = server.connect("juliet@example.org/balcony")) {
      juliet.send("<presence/>"); // or messages wait until she has been bound for a while
      juliet.fence("available");
      romeo.send(
          "<message to='%s' id='m1' extra='1'><x xmlns='urn:example:x' a=\"%s\"/></message>"
              .formatted(juliet.jid(), quotes));
      XmlElement message = juliet.receiveFirst(each -> "m1".equals(each.attribute("id")));
      assertThat(Objects.requireNonNull(message.child("urn:example:x", "x")).attribute("a"))
          .isEqualTo(quotes);
      juliet.fence("goes on");
      romeo.fence("goes on");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EDGE", "BOSH", "EDGE_BOSH"})
  void aRosterOfLongGroupsArrives(ServerPlan.Access access) throws IOException {
    StringBuilder groups = new StringBuilder();
    for (int i = 10; i < 30; i++) {
      groups.append("<group>").append(i).append("字".repeat(330)).append("</group>");
    }
    try (TestServer server = start(ServerPlan.of(StandardModules::create), access);
        ScriptedClient romeo = server.connect("romeo@example.org/orchard");
        ScriptedClient juliet = server.connect("juliet@example.org/balcony")) {
      for (int i = 0; i < 36; i++) {
        romeo.send(
            "<iq type='set' id='s%d'><query xmlns='jabber:iq:roster'>".formatted(i)
                + "<item jid='c%d@example.net'>%s</item></query></iq>".formatted(i, groups));
        String id = "s" + i;
        assertThat(romeo.receiveFirst(each -> id.equals(each.attribute("id"))).attribute("type"))
            .isEqualTo("result");
      }
      romeo.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
      XmlElement roster = romeo.receiveFirst(each -> "r".equals(each.attribute("id")));
      assertThat(Objects.requireNonNull(roster.child("jabber:iq:roster", "query")).children())
          .hasSize(36);
      romeo.fence("goes on");
      juliet.fence("goes on");
    }
  }

  /// Nobody but its sender may pay for it.
  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EDGE", "BOSH", "EDGE_BOSH"})
  void aNamespaceOfQuotesCostsNoOtherClientItsStream(ServerPlan.Access access) throws IOException {
    try (TestServer server = start(ServerPlan.of(StandardModules::create), access);
        ScriptedClient romeo = server.connect("romeo@example.org/orchard");
        ScriptedClient juliet = server.connect("juliet@example.org/balcony")) {
      romeo.send(
          "<message to='%s' type='chat' xmlns:p=\"%s\"><body>x</body><p:x/></message>"
              .formatted(juliet.jid(), "'".repeat(1_000)));
      romeo.send("<message to='" + juliet.jid() + "' id='m2'/>");
      try (ScriptedClient other = server.connect("romeo@example.org/garden")) {
        other.send("<message to='" + juliet.jid() + "' id='m3'/>");
        juliet.receiveFirst(each -> "m3".equals(each.attribute("id")));
      }
      juliet.fence("goes on");
    }
  }

  private static void enter(ScriptedClient client, String occupant) {
    client.send(
        "<presence to='" + occupant + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(
        each -> each.localName().equals("message") && each.childText("subject") != null);
  }
}
