package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the server cannot read in its database costs only itself.
@Timeout(60)
class UnreadableDataTest {
  private static final int QUOTA = 5;

  @TempDir Path folder;

  private TestServer start() throws IOException {
    TestServer server =
        ServerPlan.of(StandardModules::create)
            .withData(folder)
            .with("limits.offlineMessages", QUOTA)
            .startInMemory();
    server.accounts(List.of("juliet@example.org", "romeo@example.org"));
    return server;
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("zonda.db"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /// Sends messages to Juliet; returns how many were accepted.
  private static int send(ScriptedClient romeo, int count) {
    for (int i = 0; i < count; i++) {
      romeo.send(
          "<message to='juliet@example.org' type='chat' id='m" + i + "'><body>hi</body></message>");
    }
    romeo.fence("sent", "juliet@example.org");
    return count - romeo.unread();
  }

  @Test
  void theSenderLearnsOfAMessageThatTheDatabaseRejects() throws IOException, SQLException {
    try (TestServer server = start()) {
      execute(
          "create trigger small before insert on message when length(new.stanza) > 10000"
              + " begin select raise(abort, 'too large'); end");
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      for (int i = 0; i < QUOTA; i++) {
        romeo.send(
            "<message to='juliet@example.org' type='chat' id='large'><body>"
                + "x".repeat(10_000)
                + "</body></message>");
        XmlElement error = romeo.receiveFirst(e -> "large".equals(e.attribute("id")));
        assertThat(error.attribute("type")).isEqualTo("error");
        assertThat(error.condition()).isEqualTo("not-acceptable");
      }
      assertThat(send(romeo, QUOTA)).isEqualTo(QUOTA);
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>");
      for (int i = 0; i < QUOTA; i++) {
        String id = "m" + i;
        juliet.receiveFirst(e -> id.equals(e.attribute("id")));
      }
    }
  }

  /// With escaped quotes its namespace name would be too long for the reader. The server writes the
  /// second message again, because the start tag has another attribute.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message to='juliet@example.org' type='chat' xmlns:p=\"%1$s\"><body>x</body><p:x/></message>",
        "<message to='juliet@example.org' type='chat' xmlns:p=\"%1$s\" p:a=''><body>x</body><p:x/>"
            + "</message>"
      })
  void whatIsStoredIsRead(String message) throws IOException {
    String namespace = "'".repeat(900);
    try (TestServer server = start()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      romeo.send(message.formatted(namespace));
      romeo.fence("sent", "juliet@example.org");
      assertThat(romeo.unread()).isZero();
    }
    try (TestServer server = start()) {
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>");
      XmlElement received = juliet.receiveFirst(e -> e.localName().equals("message"));
      assertThat(received.childText("body")).isEqualTo("x");
      assertThat(received.child(namespace, "x")).isNotNull();
    }
  }

  @Test
  void messagesThatCannotBeReadLeaveTheOfflineQuota() throws IOException, SQLException {
    try (TestServer server = start()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      assertThat(send(romeo, QUOTA + 1)).isEqualTo(QUOTA);
      XmlElement full = romeo.receive();
      assertThat(full.condition()).isEqualTo("resource-constraint");
      execute("update message set checksum = checksum + 1");

      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>");
      juliet.fence("read", "juliet@example.org");
      juliet.disconnect();
      assertThat(send(romeo, QUOTA)).isEqualTo(QUOTA);
    }
  }

  private static XmlElement ask(ScriptedClient client, String type, String to, String payload) {
    client.send(
        "<iq id='q' type='"
            + type
            + "'"
            + (to.isEmpty() ? "" : " to='" + to + "'")
            + ">"
            + payload
            + "</iq>");
    return client.receiveFirst(e -> "q".equals(e.attribute("id")));
  }

  private static void set(ScriptedClient client, String to, String payload) {
    assertThat(ask(client, "set", to, payload).attribute("type")).isEqualTo("result");
  }

  private static final List<String> VALUES =
      List.of(
          "<block xmlns='urn:xmpp:blocking'><item jid='tybalt@example.org'/></block>",
          "<prefs xmlns='urn:xmpp:mam:2' default='never'/>",
          "<vCard xmlns='vcard-temp'><FN>Romeo</FN></vCard>",
          "<query xmlns='jabber:iq:private'><a xmlns='x:a'>x</a></query>",
          "<enable xmlns='urn:xmpp:push:0' jid='push.example.org' node='n'/>",
          "<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='x:b'><item id='i'>"
              + "<b xmlns='x:b'/></item></publish></pubsub>");

  private static final List<String> REQUESTS =
      List.of(
          "<blocklist xmlns='urn:xmpp:blocking'/>",
          "<prefs xmlns='urn:xmpp:mam:2'/>",
          "<query xmlns='jabber:iq:private'><a xmlns='x:a'/></query>",
          "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='x:b'/></pubsub>",
          "<query xmlns='jabber:iq:roster'/>");

  @Test
  void anAccountWorksWhoseValuesCannotBeRead() throws IOException, SQLException {
    try (TestServer server = start()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      VALUES.forEach(payload -> set(romeo, "", payload));
      romeo.disconnect();
    }
    execute("update key_value set value = x'3c'");
    execute("update pubsub_item set payload = x'3c'");
    try (TestServer server = start()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      for (String payload : REQUESTS) {
        assertThat(ask(romeo, "get", "", payload).attribute("type"))
            .as(payload)
            .isEqualTo("result");
      }
      XmlElement vcard = ask(romeo, "get", "", "<vCard xmlns='vcard-temp'/>");
      assertThat(vcard.condition()).isEqualTo("item-not-found");
      VALUES.forEach(payload -> set(romeo, "", payload));
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<message to='romeo@example.org' type='chat'><body>hi</body></message>");
      romeo.send("<presence/>");
      romeo.receiveFirst(e -> e.localName().equals("message") && e.child("body") != null);
    }
  }

  @Test
  void aRoomOpensWhoseSubjectOrValuesCannotBeRead() throws IOException, SQLException {
    String room = "coven@rooms.example.org";
    try (TestServer server = start()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      enter(romeo, room);
      set(
          romeo,
          room,
          "<query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data'"
              + " type='submit'><field var='FORM_TYPE'><value>"
              + "http://jabber.org/protocol/muc#roomconfig</value></field>"
              + "<field var='muc#roomconfig_roomname'><value>Coven</value></field>"
              + "<field var='muc#roomconfig_persistentroom'><value>1</value></field></x></query>");
      set(romeo, room, "<vCard xmlns='vcard-temp'><FN>Coven</FN></vCard>");
      romeo.send(
          "<message to='"
              + room
              + "' type='groupchat'><subject>Fire &amp; burn</subject></message>");
      romeo.receiveFirst(e -> e.localName().equals("message") && e.child("subject") != null);
      romeo.disconnect();
    }
    execute("update key_value set value = x'3c'");
    execute("update room set settings = replace(settings, 'Fire &amp;', '&')");
    try (TestServer server = start()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      enter(romeo, room);
      XmlElement subject =
          romeo.receiveFirst(e -> e.localName().equals("message") && e.child("subject") != null);
      assertThat(subject.childText("subject")).isEmpty();
      XmlElement info =
          ask(romeo, "get", room, "<query xmlns='http://jabber.org/protocol/disco#info'/>");
      assertThat(info.toString()).contains("Coven");
    }
  }

  private static void enter(ScriptedClient client, String room) {
    client.send(
        "<presence to='" + room + "/hag'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(
        e -> e.localName().equals("presence") && (room + "/hag").equals(e.attribute("from")));
  }
}
