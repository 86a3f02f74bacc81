package im.zonda.app.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A room that is read from the store again is what it was.
class RoomReloadTest {
  private static final String ROOM = "hall@rooms.example.org";

  @TempDir private Path data;

  /// Enters, and returns what was said before and the subject.
  private static List<String> enter(ScriptedClient client) {
    client.send("<presence to='" + ROOM + "/romeo'><x xmlns='" + Occupying.MUC + "'/></presence>");
    List<String> texts = new ArrayList<>();
    while (true) {
      XmlElement next = client.receive();
      if (next.child("body") != null) {
        texts.add(next.childText("body"));
      } else if (next.child("subject") != null) {
        texts.add(next.childText("subject"));
        return texts;
      }
    }
  }

  /// Makes the room persistent and sets another field of its configuration.
  private static void configure(ScriptedClient owner, String field, int value) {
    owner.send(
        "<iq type='set' id='c' to='"
            + ROOM
            + "'><query xmlns='"
            + Occupying.MUC
            + "#owner'><x xmlns='jabber:x:data' type='submit'>"
            + "<field var='FORM_TYPE'><value>http://jabber.org/protocol/muc#roomconfig</value>"
            + "</field><field var='muc#roomconfig_persistentroom'><value>1</value></field>"
            + "<field var='"
            + field
            + "'><value>"
            + value
            + "</value></field></x></query></iq>");
    owner.receiveFirst(e -> "c".equals(e.attribute("id")));
  }

  private static void say(ScriptedClient client, String payload) {
    client.send("<message type='groupchat' to='" + ROOM + "'>" + payload + "</message>");
  }

  @Test
  void theHistoryIsFullHoweverOftenTheSubjectHasChanged() throws IOException {
    TestServer server = ServerPlan.of(StandardModules::create).withData(data).startInMemory();
    ScriptedClient romeo = server.connect("romeo@example.org/orchard");
    enter(romeo);
    configure(romeo, "muc#maxhistoryfetch", 3);
    for (int i = 1; i <= 5; i++) {
      say(romeo, "<body>m" + i + "</body>");
    }
    for (int i = 1; i <= 10; i++) {
      say(romeo, "<subject>s" + i + "</subject>");
    }
    romeo.fence("said", ROOM);
    server.close();

    try (TestServer again = server.restart()) {
      ScriptedClient back = again.connect("romeo@example.org/orchard");
      assertThat(enter(back)).containsExactly("m3", "m4", "m5", "s10");
    }
  }

  /// XEP-0500: the archive says who has to wait.
  @Test
  void whoHasToWaitHasToWaitAfterARestart() throws IOException {
    TestServer server = ServerPlan.of(StandardModules::create).withData(data).startInMemory();
    ScriptedClient romeo = server.connect("romeo@example.org/orchard");
    enter(romeo);
    configure(romeo, "muc#roomconfig_slow_mode_duration", 3_600);
    ScriptedClient juliet = server.connect("juliet@example.org/balcony");
    enterAs(juliet, "juliet");
    say(juliet, "<body>one</body>");
    juliet.fence("said", ROOM);
    server.close();

    try (TestServer again = server.restart()) {
      ScriptedClient back = again.connect("juliet@example.org/balcony");
      enterAs(back, "juliet");
      say(back, "<body>two</body>");
      XmlElement error = back.receiveFirst(e -> "error".equals(e.attribute("type")));
      assertThat(error.child("error")).isNotNull();
      ScriptedClient late = again.connect("late@example.org/pda");
      enterAs(late, "late");
      say(late, "<body>three</body>");
      assertThat(late.receiveFirst(e -> "three".equals(e.childText("body")))).isNotNull();
    }
  }

  private static void enterAs(ScriptedClient client, String nick) {
    client.send(
        "<presence to='%s/%s'><x xmlns='%s'/></presence>".formatted(ROOM, nick, Occupying.MUC));
    client.receiveFirst(e -> e.child("subject") != null);
  }
}
