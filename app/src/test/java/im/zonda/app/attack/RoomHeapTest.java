package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.crash.ServerProcess;
import im.zonda.testkit.client.ScriptedClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One client fills rooms in every way there is; a server with a small heap goes on, and so does
/// the room of someone else.
@Timeout(120)
class RoomHeapTest {
  private static final int HEAP = 128;
  private static final String QUIET = "quiet@rooms.example.org";

  @TempDir private Path folder;
  private ServerProcess server;
  private ScriptedClient attacker;
  private ScriptedClient victim;

  @BeforeEach
  void start() throws Exception {
    server =
        new ServerProcess(
            folder.resolve("data"), folder.resolve("errors.txt"), HEAP, 3, committed -> {});
    attacker = server.login("u0@example.org/r");
    victim = server.login("u1@example.org/r");
    enter(victim, QUIET + "/victim", "");
    victim.send(
        "<iq type='set' id='c' to='"
            + QUIET
            + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
    victim.receiveFirst(e -> "c".equals(e.attribute("id")));
    victim.send("<message type='groupchat' to='" + QUIET + "'><body>first</body></message>");
    victim.fence("said", QUIET);
  }

  @AfterEach
  void stop() throws InterruptedException {
    server.kill();
  }

  private static void enter(ScriptedClient client, String address, String more) {
    client.send(Attacked.enter(address, more));
  }

  private void settle(int i, String room) {
    attacker.fence("f" + i, room);
    attacker.skipUnread();
  }

  /// Occupants from before can speak, and new ones get the history.
  private void assertOthersAreServed() throws Exception {
    assertThat(server.isAlive()).isTrue();
    victim.skipUnread();
    victim.send("<message type='groupchat' to='" + QUIET + "'><body>second</body></message>");
    assertThat(Attacked.message(victim).childText("body")).isEqualTo("second");
    try (ScriptedClient later = server.login("u2@example.org/r")) {
      enter(later, QUIET + "/later", "");
      assertThat(Attacked.message(later).childText("body")).isEqualTo("first");
      assertThat(Attacked.message(later).childText("body")).isEqualTo("second");
    }
  }

  @Test
  void row75_historiesOfManyRooms() throws Exception {
    String body = "<body>" + "x".repeat(200_000) + "</body>";
    for (int i = 0; i < 200; i++) {
      String room = "r" + i + "@rooms.example.org";
      enter(attacker, room + "/a", "");
      for (int k = 0; k < 5; k++) {
        attacker.send("<message type='groupchat' to='" + room + "'>" + body + "</message>");
      }
      settle(i, room);
    }
    assertOthersAreServed();
  }

  @Test
  void row75_subjectsOfManyRooms() throws Exception {
    String subject = "<subject>" + "x".repeat(200_000) + "</subject>";
    for (int i = 0; i < 900; i++) {
      String room = "r" + i + "@rooms.example.org";
      enter(attacker, room + "/a", "");
      attacker.send("<message type='groupchat' to='" + room + "'>" + subject + "</message>");
      settle(i, room);
    }
    assertOthersAreServed();
  }
}
