package im.zonda.app.attack;

import static im.zonda.app.attack.Attacked.field;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What rooms keep in memory is bounded over all of them. Who uses it up is rejected, and others
/// are not.
@Timeout(60)
class RoomSharesTest {
  private static final String DOMAIN = "@rooms.example.org";
  private static final int LONG = 8_000;

  private TestServer server;
  private ScriptedClient attacker;
  private ScriptedClient victim;

  @BeforeEach
  void start() throws IOException {
    server =
        Target.plan()
            .withClock(new FakeClock())
            .with("limits.allRoomStateBytes", 1_048_576L)
            .with("limits.allRoomHistoryBytes", 1_048_576L)
            .with("rooms.roomsPerAccount", 300)
            .with("rooms.messageRate", 0)
            .startInMemory();
    attacker = server.connect("attacker@example.org/r");
    victim = server.connect("victim@example.org/r");
    assertThat(entered(victim, "quiet" + DOMAIN + "/victim", "").condition()).isEmpty();
    configure(victim, "quiet" + DOMAIN, "");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static XmlElement entered(ScriptedClient client, String address, String more) {
    client.send(Attacked.enter(address, more));
    XmlElement answer =
        client.receiveFirst(e ->
            e.localName().equals("presence")
                && ("error".equals(e.attribute("type")) || Attacked.hasCode(e, "110")));
    client.fence("entered", address.substring(0, address.indexOf('/')));
    client.skipUnread();
    return answer;
  }

  private static XmlElement ask(ScriptedClient client, String to, String id, String payload) {
    client.send("<iq type='set' id='" + id + "' to='" + to + "'>" + payload + "</iq>");
    return client.receiveFirst(e -> e.localName().equals("iq") && id.equals(e.attribute("id")));
  }

  private static XmlElement query(ScriptedClient client, String to, String kind, String payload) {
    return ask(
        client, to, "q", "<query xmlns='" + Attacked.MUC + kind + "'>" + payload + "</query>");
  }

  private static void configure(ScriptedClient owner, String room, String fields) {
    String form = "<x xmlns='jabber:x:data' type='submit'>" + fields + "</x>";
    assertThat(query(owner, room, "#owner", form).attribute("type")).isEqualTo("result");
  }

  private static XmlElement subject(ScriptedClient client, String room, String text) {
    client.skipUnread();
    client.send(
        "<message type='groupchat' to='" + room + "'><subject>" + text + "</subject></message>");
    return Attacked.message(client);
  }

  /// The answers become a refusal, and stay it.
  private static int refusedAfter(IntFunction<XmlElement> attempt) {
    for (int i = 0; i < 2_000; i++) {
      String condition = attempt.apply(i).condition();
      if (!condition.isEmpty()) {
        assertThat(condition).isEqualTo("resource-constraint");
        assertThat(attempt.apply(i + 1).condition()).isEqualTo("resource-constraint");
        return i;
      }
    }
    throw new AssertionError("never refused");
  }

  /// Everything goes on for someone else.
  private void assertOthersAreServed() throws IOException {
    assertThat(subject(victim, "quiet" + DOMAIN, "a subject").condition()).isEmpty();
    configure(victim, "quiet" + DOMAIN, field("roomname", "A name"));
    assertThat(
            query(
                    victim,
                    "quiet" + DOMAIN,
                    "#admin",
                    "<item affiliation='member' jid='nurse@example.org'/>")
                .condition())
        .isEmpty();
    try (ScriptedClient nurse = server.connect("nurse@example.org/r")) {
      assertThat(entered(nurse, "quiet" + DOMAIN + "/nurse", "").condition()).isEmpty();
      assertThat(entered(nurse, "other" + DOMAIN + "/nurse", "").condition()).isEmpty();
    }
  }

  @Test
  void row75_presences() throws IOException {
    String status = "<status>" + "x".repeat(LONG) + "</status>";
    refusedAfter(i -> entered(attacker, "p" + i + DOMAIN + "/a", status));
    assertOthersAreServed();
    // What is left is given back.
    attacker.send("<presence type='unavailable' to='p0" + DOMAIN + "/a'/>");
    assertThat(entered(attacker, "p0" + DOMAIN + "/a", status).condition()).isEmpty();
  }

  @Test
  void row75_aPresenceThatGrows() throws IOException {
    List<String> rooms = new ArrayList<>();
    refusedAfter(i -> {
      rooms.add("g" + i + DOMAIN + "/a");
      return entered(attacker, "g" + i + DOMAIN + "/a", "");
    });
    attacker.skipUnread();
    attacker.send(
        "<presence to='" + rooms.get(1) + "'><status>" + "x".repeat(LONG) + "</status></presence>");
    assertThat(attacker.receiveFirst(e -> "error".equals(e.attribute("type"))).condition())
        .isEqualTo("resource-constraint");
    assertOthersAreServed();
  }

  @Test
  void row75_subjects() throws IOException {
    refusedAfter(i -> {
      XmlElement entered = entered(attacker, "s" + i + DOMAIN + "/a", "");
      return entered.condition().isEmpty()
          ? subject(attacker, "s" + i + DOMAIN, "x".repeat(5 * LONG))
          : entered;
    });
    assertOthersAreServed();
  }

  @Test
  void row75_affiliations() throws IOException {
    String room = "a" + DOMAIN;
    entered(attacker, room + "/a", "");
    configure(attacker, room, "");
    refusedAfter(i ->
        query(
            attacker,
            room,
            "#admin",
            "<item affiliation='member' jid='m"
                + i
                + "@example.org'><reason>"
                + "x".repeat(900)
                + "</reason></item>"));
    assertOthersAreServed();
    // Less is never refused.
    assertThat(
            query(attacker, room, "#admin", "<item affiliation='none' jid='m0@example.org'/>")
                .condition())
        .isEmpty();
  }

  @Test
  void row75_configurations() throws IOException {
    String form =
        "<x xmlns='jabber:x:data' type='submit'>"
            + field("roomdesc", "x".repeat(4_000))
            + field("roomname", "x".repeat(4_000))
            + "</x>";
    refusedAfter(i -> {
      XmlElement entered = entered(attacker, "c" + i + DOMAIN + "/a", "");
      return entered.condition().isEmpty()
          ? query(attacker, "c" + i + DOMAIN, "#owner", form)
          : entered;
    });
    assertOthersAreServed();
  }

  @Test
  void row75_requestsThatNobodyAnswers() throws IOException {
    for (String name : List.of("i0", "i1", "i2")) {
      entered(attacker, name + DOMAIN + "/a", "");
    }
    try (ScriptedClient silent = server.connect("attacker@example.org/silent")) {
      String room = "i0" + DOMAIN;
      entered(silent, room + "/silent", "");
      attacker.fence("before", room);
      attacker.skipUnread();
      boolean refused = false;
      for (int i = 0; i < 90 && !refused; i++) {
        attacker.send(
            "<iq type='get' id='"
                + i
                + "x".repeat(LONG)
                + "' to='"
                + room
                + "/silent'><query xmlns='urn:q'/></iq>");
        attacker.fence("f" + i, room);
        refused = attacker.unread() > 0;
      }
      assertThat(refused).isTrue();
      assertThat(attacker.receiveFirst(e -> e.localName().equals("iq")).condition())
          .isEqualTo("resource-constraint");
      assertOthersAreServed();
    }
  }

  private List<String> history(String room) throws IOException {
    try (ScriptedClient nurse = server.connect("nurse@example.org/r")) {
      nurse.send(Attacked.enter(room + "/nurse", ""));
      nurse.fence("in", room);
      List<String> bodies = new ArrayList<>();
      while (nurse.unread() > 0) {
        XmlElement next = nurse.receive();
        if (next.localName().equals("message") && !next.childText("body").isEmpty()) {
          bodies.add(next.childText("body").substring(0, 5));
        }
      }
      nurse.send("<presence type='unavailable' to='" + room + "/nurse'/>");
      nurse.fence("out", room);
      return bodies;
    }
  }

  @Test
  void row75_historiesOfManyRooms() throws IOException {
    victim.send("<message type='groupchat' to='quiet" + DOMAIN + "'><body>first</body></message>");
    victim.fence("said", "quiet" + DOMAIN);
    for (int i = 0; i < 10; i++) {
      String room = "h" + i + DOMAIN;
      entered(attacker, room + "/a", "");
      configure(attacker, room, field("persistentroom", "1"));
      for (int k = 0; k < 3; k++) {
        attacker.send(
            "<message type='groupchat' to='"
                + room
                + "'><body>said"
                + k
                + "x".repeat(100_000)
                + "</body></message>");
      }
      attacker.fence("f", room);
      attacker.skipUnread();
    }
    assertThat(history("quiet" + DOMAIN)).containsExactly("first");
    assertThat(history("h9" + DOMAIN)).containsExactly("said0", "said1", "said2");
    assertThat(history("h0" + DOMAIN)).isEmpty();
    assertOthersAreServed();
    // It was dropped from memory, and not from the archive.
    attacker.disconnect();
    server.advance(Duration.ofMinutes(30));
    assertThat(history("h0" + DOMAIN)).containsExactly("said0", "said1", "said2");
  }

  @Test
  void aRoomWhoseCreatorUsesTooMuchIsNotLoaded() throws IOException {
    // Fill a room, let it go, fill others, and come back to it.
    String room = "big" + DOMAIN;
    entered(attacker, room + "/a", "");
    configure(attacker, room, field("persistentroom", "1"));
    subject(attacker, room, "x".repeat(20 * LONG));
    attacker.send("<presence type='unavailable' to='" + room + "/a'/>");
    attacker.fence("gone", room);
    server.advance(Duration.ofMinutes(5));
    refusedAfter(i -> entered(attacker, "l" + i + DOMAIN + "/a", ""));
    assertThat(entered(attacker, room + "/a", "").condition()).isEqualTo("resource-constraint");
    assertOthersAreServed();
    attacker.disconnect();
    server.advance(Duration.ofMinutes(5));
    try (ScriptedClient again = server.connect("attacker@example.org/again")) {
      assertThat(entered(again, room + "/a", "").condition()).isEmpty();
    }
  }
}
