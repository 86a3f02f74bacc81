package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import org.junit.jupiter.api.Test;

/// A room moves to another node while people are in it.
class MovingRoomTest {
  private static final String ROOM = "coven@rooms.example.org";
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.org";

  @Test
  void occupantsStayAndTheHistoryIsThere() throws Exception {
    assertThat(TestCluster.moveTogether(ROOM, ROMEO) || TestCluster.moveTogether(ROOM, JULIET))
        .as("only the room moves")
        .isFalse();
    try (TestCluster cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
        ScriptedClient romeo = cluster.connect(ROMEO + "/garden");
        ScriptedClient juliet = cluster.connect(JULIET + "/balcony")) {
      enter(romeo, "romeo");
      configure(romeo);
      enter(juliet, "juliet");
      awaitPresence(romeo, "juliet");
      say(romeo, "1");
      assertThat(body(juliet)).isEqualTo("1");
      assertThat(body(romeo)).isEqualTo("1");
      for (int round = 2; round < 8; round++) {
        Member before = cluster.homeOf(ROOM);
        cluster.move(ROOM);
        assertThat(cluster.homeOf(ROOM)).isNotEqualTo(before);
        say(juliet, "" + round);
        assertThat(body(romeo)).isEqualTo("" + round);
        assertThat(body(juliet)).isEqualTo("" + round);
      }
      try (ScriptedClient late = cluster.connect("late@example.org/pda")) {
        enter(late, "late");
        for (int round = 1; round < 8; round++) {
          assertThat(body(late)).isEqualTo("" + round);
        }
      }
    }
  }

  private static void enter(ScriptedClient client, String nick) {
    client.send(
        "<presence to='%s/%s'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
            .formatted(ROOM, nick));
    awaitPresence(client, nick);
  }

  private static void awaitPresence(ScriptedClient client, String nick) {
    client.receiveFirst(stanza ->
        stanza.localName().equals("presence")
            && (ROOM + "/" + nick).equals(stanza.attribute("from")));
  }

  private static void configure(ScriptedClient client) {
    client.send(
        """
        <iq type='set' id='c' to='%s'><query xmlns='http://jabber.org/protocol/muc#owner'>\
        <x xmlns='jabber:x:data' type='submit'/></query></iq>\
        """
            .formatted(ROOM));
    XmlElement answer = client.receiveFirst(stanza -> stanza.localName().equals("iq"));
    assertThat(answer.attribute("type")).isEqualTo("result");
  }

  private static void say(ScriptedClient client, String text) {
    client.send(
        "<message type='groupchat' to='%s' id='m%s'><body>%s</body></message>"
            .formatted(ROOM, text, text));
  }

  private static String body(ScriptedClient client) {
    return client.receiveFirst(stanza -> stanza.child("body") != null).childText("body");
  }
}
