package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Presence;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rooms over a restart of the server: occupants that return have never left.
final class RoomRestartTest {
  private static final String ROOM = "coven@rooms.example.org";
  private static final String CRONE = "crone@example.org/desktop";
  private static final String HAG = "hag@example.org/pda";

  @TempDir private Path data;
  private final FakeClock clock = new FakeClock();

  private TestServer start() throws IOException {
    return ServerPlan.of(StandardModules::create).withClock(clock).withData(data).startInMemory();
  }

  private static Login login(String address) {
    return Login.of(address, TestServer.PASSWORD).withSecurity(Login.Security.NONE);
  }

  private static void enter(ScriptedClient client, String nick) {
    client.send(
        "<presence to='"
            + ROOM
            + "/"
            + nick
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(e -> e.localName().equals("message"));
  }

  private static void unlock(ScriptedClient client, String fields) {
    client.send(
        "<iq type='set' id='unlock' to='"
            + ROOM
            + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'>"
            + fields
            + "</x></query></iq>");
    client.receiveFirst(e -> "unlock".equals(e.attribute("id")));
  }

  private static ScriptedClient resumed(TestServer server, String address, Managed before, int h) {
    Managed.Attempt attempt = Managed.resume(server, login(address), before.id(), h);
    assertThat(attempt.answer().localName()).isEqualTo("resumed");
    return attempt.client();
  }

  private static XmlElement nextFrom(ScriptedClient client, String nick) {
    return client.receiveFirst(e -> (ROOM + "/" + nick).equals(e.attribute("from")));
  }

  private static boolean has(XmlElement presence, String code) {
    XmlElement x = presence.child("http://jabber.org/protocol/muc#user", "x");
    return x != null
        && x.children().stream().anyMatch(child -> code.equals(child.attribute("code")));
  }

  @Test
  void aResumedSessionIsStillInTheRoom() throws IOException {
    TestServer server = start();
    Managed crone = Managed.online(server, CRONE);
    Managed hag = Managed.online(server, HAG);
    enter(crone.client(), "firstwitch");
    unlock(crone.client(), "");
    enter(hag.client(), "thirdwitch");
    nextFrom(crone.client(), "thirdwitch");
    // A role is not what the affiliation alone would give.
    crone
        .client()
        .send(
            "<iq type='set' id='role' to='"
                + ROOM
                + "'><query xmlns='http://jabber.org/protocol/muc#admin'>"
                + "<item nick='thirdwitch' role='visitor'/></query></iq>");
    crone.client().receiveFirst(e -> "role".equals(e.attribute("id")));
    nextFrom(hag.client(), "thirdwitch");
    server.close();
    try (TestServer again = server.restart()) {
      // All that came before the stop had been received: none of it comes again.
      ScriptedClient hagAgain = resumed(again, HAG, hag, 5);
      ScriptedClient croneAgain = resumed(again, CRONE, crone, 7);
      hagAgain.send(
          "<iq type='get' id='in' to='" + ROOM + "/thirdwitch'><ping xmlns='urn:xmpp:ping'/></iq>");
      assertThat(hagAgain.receiveFirst(e -> "in".equals(e.attribute("id"))).attribute("type"))
          .isEqualTo("result");
      croneAgain.send(
          "<message to='" + ROOM + "' type='groupchat'><body>Harpier cries</body></message>");
      assertThat(nextFrom(hagAgain, "firstwitch").childText("body")).isEqualTo("Harpier cries");
      hagAgain.send(
          "<message id='mute' to='" + ROOM + "' type='groupchat'><body>I</body></message>");
      assertThat(hagAgain.receiveFirst(e -> "mute".equals(e.attribute("id"))).toString())
          .contains("forbidden");
      ScriptedClient hecate = again.connect("hecate@example.org/broom");
      hecate.send(
          "<presence to='"
              + ROOM
              + "/hecate'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
      assertThat(nextFrom(hecate, "firstwitch").toString()).contains("moderator");
      assertThat(nextFrom(hecate, "thirdwitch").toString()).contains("visitor");
    }
  }

  @Test
  void aSessionThatIsNotResumedAfterTheRestartHasEnded() throws IOException {
    TestServer server = start();
    Managed crone = Managed.online(server, CRONE);
    Managed hag = Managed.online(server, HAG);
    enter(crone.client(), "firstwitch");
    unlock(crone.client(), "");
    enter(hag.client(), "thirdwitch");
    nextFrom(crone.client(), "thirdwitch");
    server.close();
    // Time enough for a session to be too old; the occupants are read with the sessions.
    Files.move(data.resolve("sessions"), data.resolve("gone"));
    try (TestServer again = server.restart()) {
      ScriptedClient crones = again.connect(CRONE);
      enter(crones, "firstwitch");
      crones.send(
          "<iq type='get' id='who' to='"
              + ROOM
              + "'><query xmlns='http://jabber.org/protocol/disco#items'/></iq>");
      XmlElement who = crones.receiveFirst(e -> "who".equals(e.attribute("id")));
      assertThat(who.toString()).contains("firstwitch").doesNotContain("thirdwitch");
    }
  }

  @Test
  void occupantsAreNotifiedOfThoseWhoAreGone() throws IOException {
    TestServer server = start();
    Managed crone = Managed.online(server, CRONE);
    Managed hag = Managed.online(server, HAG);
    enter(crone.client(), "firstwitch");
    unlock(crone.client(), "");
    enter(hag.client(), "thirdwitch");
    nextFrom(crone.client(), "thirdwitch");
    // With the account, the session cannot come back.
    server.stores().accounts().remove(Jid.of(HAG).bare());
    server.close();
    try (TestServer again = server.restart()) {
      ScriptedClient croneAgain = resumed(again, CRONE, crone, 5);
      XmlElement gone = nextFrom(croneAgain, "thirdwitch");
      assertThat(gone.attribute("type")).isEqualTo("unavailable");
      assertThat(has(gone, "332")).isTrue();
    }
  }

  /// What a room sends to a session that is not there comes back, and nobody has to say that it
  /// went.
  @Test
  void aGhostIsPutOutByTheFirstCopyThatComesBack() throws IOException {
    try (TestServer server = start()) {
      ScriptedClient crone = server.connect(CRONE);
      server.accounts(List.of(HAG));
      enter(crone, "firstwitch");
      unlock(crone, "");
      server
          .server()
          .router()
          .routes()
          .route(
              Envelope.of(
                  Presence.of(
                      Presence.Type.AVAILABLE,
                      Jid.of(HAG),
                      Jid.of(ROOM + "/ghost"),
                      null,
                      List.of(Element.of("http://jabber.org/protocol/muc", "x")))));
      XmlElement nobody = nextFrom(crone, "ghost");
      assertThat(nobody.attribute("type")).isNull();
      crone.send("<message to='" + ROOM + "' type='groupchat'><body>Boo</body></message>");
      XmlElement gone = nextFrom(crone, "ghost");
      assertThat(gone.attribute("type")).isEqualTo("unavailable");
      assertThat(has(gone, "333")).isTrue();
    }
  }

  @Test
  void aRoomThatWasNeverMadeEndsWithTheServer() throws IOException {
    TestServer server = start();
    Managed crone = Managed.online(server, CRONE);
    enter(crone.client(), "firstwitch");
    server.close();
    try (TestServer again = server.restart()) {
      ScriptedClient croneAgain = resumed(again, CRONE, crone, 3);
      XmlElement out = nextFrom(croneAgain, "firstwitch");
      assertThat(out.attribute("type")).isEqualTo("unavailable");
      assertThat(has(out, "332")).isTrue();
      assertThat(has(out, "110")).isTrue();
    }
  }

  @Test
  void aDamagedFileCostsTheSeatsOnly() throws IOException {
    TestServer server = start();
    Managed crone = Managed.online(server, CRONE);
    enter(crone.client(), "firstwitch");
    unlock(crone.client(), "");
    server.close();
    Path file = data.resolve("occupants.rooms.example.org");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    try (TestServer again = server.restart()) {
      assertThat(file).doesNotExist();
      ScriptedClient croneAgain = resumed(again, CRONE, crone, 4);
      croneAgain.send(
          "<iq type='get' id='in' to='" + ROOM + "/firstwitch'><ping xmlns='urn:xmpp:ping'/></iq>");
      assertThat(croneAgain.receiveFirst(e -> "in".equals(e.attribute("id"))).toString())
          .contains("not-acceptable");
    }
  }

  @Test
  void aTemporaryRoomThatACrashHasLeftWaitsSomeMinutesForItsPeople() throws IOException {
    TestServer server = start();
    Managed crone = Managed.online(server, CRONE);
    enter(crone.client(), "firstwitch");
    unlock(crone.client(), "");
    server.close();
    Files.delete(data.resolve("sessions"));
    Files.delete(data.resolve("occupants.rooms.example.org"));
    Jid room = Jid.of(ROOM);
    try (TestServer again = server.restart()) {
      again.advance(Duration.ofMinutes(4));
      assertThat(again.stores().rooms().find(room)).isNotNull();
      again.advance(Duration.ofMinutes(2));
      assertThat(again.stores().rooms().find(room)).isNull();
    }
  }

  @Test
  void aTemporaryRoomToWhichSomeoneComesBackStays() throws IOException {
    TestServer server = start();
    Managed crone = Managed.online(server, CRONE);
    enter(crone.client(), "firstwitch");
    unlock(crone.client(), "");
    server.close();
    Files.delete(data.resolve("sessions"));
    Files.delete(data.resolve("occupants.rooms.example.org"));
    try (TestServer again = server.restart()) {
      ScriptedClient crones = again.connect(CRONE);
      enter(crones, "firstwitch");
      again.advance(Duration.ofMinutes(6));
      assertThat(Objects.requireNonNull(again.stores().rooms().find(Jid.of(ROOM))).affiliations())
          .hasSize(1);
    }
  }
}
