package im.zonda.app.archive;

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

/// The archive of a room over the end of a server, and where the server has none.
final class RoomArchiveTest {
  private static final String ROOM = "coven@rooms.example.org";
  private static final String RETRACT = "<retract xmlns='urn:xmpp:message-retract:1'/>";

  @TempDir Path folder;

  private static ScriptedClient enter(ScriptedClient client, String nick) {
    client.send(
        "<presence to='"
            + ROOM
            + "/"
            + nick
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(
        element -> element.localName().equals("presence") && element.toString().contains("'110'"));
    return client;
  }

  private static void configure(ScriptedClient owner, String fields) {
    owner.send(
        "<iq type='set' id='c' to='"
            + ROOM
            + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'>"
            + fields
            + "</x></query></iq>");
    XmlElement answer = owner.receiveFirst(element -> "c".equals(element.attribute("id")));
    assertThat(answer.attribute("type")).as(answer.toString()).isEqualTo("result");
  }

  private static String truth(String name, boolean value) {
    return "<field var='muc#roomconfig_"
        + name
        + "'><value>"
        + (value ? 1 : 0)
        + "</value></field>";
  }

  /// Says something and returns the id that the room gives it; empty if it gives none.
  private static String say(ScriptedClient client, String body) {
    client.send(
        "<message type='groupchat' id='"
            + body
            + "' to='"
            + ROOM
            + "'><body>"
            + body
            + "</body></message>");
    XmlElement said = client.receiveFirst(element -> body.equals(element.attribute("id")));
    XmlElement id = said.child("urn:xmpp:sid:0", "stanza-id");
    return id == null ? "" : String.valueOf(id.attribute("id"));
  }

  /// What the archive has: id and body of each entry.
  private static List<String> archive(ScriptedClient client) {
    client.send("<iq type='set' id='q' to='" + ROOM + "'><query xmlns='urn:xmpp:mam:2'/></iq>");
    List<String> entries = new ArrayList<>();
    while (true) {
      XmlElement next =
          client.receiveFirst(element ->
              element.child("urn:xmpp:mam:2", "result") != null
                  || "q".equals(element.attribute("id")));
      XmlElement result = next.child("urn:xmpp:mam:2", "result");
      XmlElement forwarded = result == null ? null : result.child("forwarded");
      XmlElement message = forwarded == null ? null : forwarded.child("message");
      if (result == null || message == null) {
        assertThat(next.attribute("type")).as(next.toString()).isEqualTo("result");
        return entries;
      }
      boolean gone = message.child("urn:xmpp:message-retract:1", "retracted") != null;
      entries.add(result.attribute("id") + (gone ? " gone" : " " + message.childText("body")));
    }
  }

  @Test
  void aRoomComesBackWithWhatWasSaidAndWithoutWhatWasTakenBack() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create).withData(folder);
    String kept;
    String bad;
    List<String> before;
    try (TestServer server = plan.startInMemory()) {
      ScriptedClient crone = enter(server.connect("crone@example.org/desktop"), "firstwitch");
      configure(crone, truth("persistentroom", true));
      ScriptedClient hag = enter(server.connect("hag@example.org/pda"), "thirdwitch");
      kept = say(hag, "Harpier cries");
      bad = say(hag, "free magic potions");
      crone.send(
          "<iq type='set' id='r' to='"
              + ROOM
              + "'><moderate xmlns='urn:xmpp:message-moderate:1' id='"
              + bad
              + "'>"
              + RETRACT
              + "</moderate></iq>");
      crone.receiveFirst(element -> "r".equals(element.attribute("id")));
      before = archive(hag);
      assertThat(before).startsWith(kept + " Harpier cries", bad + " gone").hasSize(3);
    }
    try (TestServer server = plan.startInMemory()) {
      ScriptedClient hag = server.connect("hag@example.org/pda");
      assertThat(archive(hag)).isEqualTo(before);
      enter(hag, "thirdwitch");
      XmlElement first = hag.receiveFirst(element -> element.localName().equals("message"));
      XmlElement second = hag.receiveFirst(element -> element.localName().equals("message"));
      XmlElement third = hag.receiveFirst(element -> element.localName().equals("message"));
      assertThat(first.childText("body")).isEqualTo("Harpier cries");
      assertThat(second.toString())
          .contains("<retracted xmlns='urn:xmpp:message-retract:1'", bad)
          .doesNotContain("<body>");

      assertThat(first.child("http://jabber.org/protocol/muc#user", "x")).isNull();
      assertThat(second.child("http://jabber.org/protocol/muc#user", "x")).isNull();
      assertThat(third.child("subject")).isNotNull();
      String after = say(hag, "tis time");
      assertThat(archive(hag)).endsWith(after + " tis time").hasSize(4);
    }
  }

  @Test
  void aRoomThatIsGoneLeavesNothingToTheNextOneOfThatName() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create);
    try (TestServer server = plan.startInMemory()) {
      ScriptedClient crone = enter(server.connect("crone@example.org/desktop"), "firstwitch");
      configure(crone, truth("persistentroom", false));
      say(crone, "secret");
      assertThat(archive(crone)).hasSize(1);
      crone.send("<presence type='unavailable' to='" + ROOM + "/firstwitch'/>");
      crone.fence("gone", ROOM);
      ScriptedClient macbeth = enter(server.connect("macbeth@example.org/home"), "macbeth");
      configure(macbeth, "");
      assertThat(archive(macbeth)).isEmpty();
    }
  }

  @Test
  void aServerWithoutArchivesHasNoneForRooms() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create).with("storage.archive", false);
    try (TestServer server = plan.startInMemory()) {
      ScriptedClient crone = enter(server.connect("crone@example.org/desktop"), "firstwitch");
      configure(crone, "");
      assertThat(say(crone, "hi")).isNotEmpty();
      crone.send("<iq type='set' id='q' to='" + ROOM + "'><query xmlns='urn:xmpp:mam:2'/></iq>");
      XmlElement answer = crone.receiveFirst(element -> "q".equals(element.attribute("id")));
      assertThat(answer.condition()).isEqualTo("service-unavailable");
    }
  }
}
