package im.zonda.app.attack;

import static im.zonda.app.attack.Attacked.field;
import static im.zonda.app.attack.Attacked.message;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows 61 to 85 of the attack table that concern rooms. Each test has a room and accounts of its
/// own.
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("small-heap")
class RoomAttackTest {
  private Target target;

  @BeforeAll
  void start() throws IOException {
    target = Target.usual();
  }

  @AfterAll
  void stop() {
    target.serves();
    target.close();
  }

  @Test
  void row61_noClientSendsFromARoomsAddress() {
    Attacked room = Attacked.room(target, "row61");
    try (ScriptedClient victim = room.occupant("victim61")) {
      for (String from : List.of(room.room(), room.room() + "/victim61", "rooms.example.org")) {
        ScriptedClient client = target.named("spoofer61@example.org/r");
        client.send("<message type='groupchat' from='" + from + "' to='" + room.room() + "'/>");
        target.ends(client, "invalid-from");
        ScriptedClient direct = target.named("spoofer61@example.org/r");
        direct.send("<message from='" + from + "' to='" + victim.jid() + "'/>");
        target.ends(direct, "invalid-from");
      }
      victim.fence("f");
      assertThat(victim.unread()).isZero();
    }
  }

  @Test
  void row63_whatOnlyTheRoomMaySayIsTakenOut() {
    Attacked room = Attacked.room(target, "row63");
    String forged =
        "<stanza-id xmlns='urn:xmpp:sid:0' by='row63@rooms.example.org' id='forged'/>"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='ROW63@Rooms.Example.org' id='forged'/>"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='row63@rooms.example.org/x' id='forged'/>"
            + "<delay xmlns='urn:xmpp:delay' from='row63@rooms.example.org'"
            + " stamp='2001-01-01T00:00:00Z'/>"
            + "<delay xmlns='urn:xmpp:delay' from='Row63@rooms.example.org'"
            + " stamp='2001-01-01T00:00:00Z'/>"
            + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2001-01-01T00:00:00Z'/>";
    try (ScriptedClient victim = room.occupant("victim63");
        ScriptedClient attacker = room.occupant("attacker63")) {
      victim.fence("before", room.room());
      victim.skipUnread();
      room.say(attacker, "<body>x</body>" + forged);
      room.say(victim, "<subject>x</subject>" + forged);
      attacker.send(
          "<message type='chat' to='row63@rooms.example.org/victim63'><body>x</body>"
              + forged
              + "</message>");
      for (int i = 0; i < 3; i++) {
        assertThat(message(victim).toString()).doesNotContain("forged").doesNotContain("2001-01");
      }
      // Nor in the history for those who enter later.
      try (ScriptedClient later = target.named("later63@example.org/r")) {
        room.enters(later, "later63", "");
        assertThat(message(later).toString()).doesNotContain("forged").doesNotContain("2001-01");
        assertThat(message(later).toString()).doesNotContain("forged").doesNotContain("2001-01");
      }
    }
  }

  @Test
  void row64_payloadsOfTheServiceCannotBeForged() {
    Attacked room = Attacked.room(target, "row64");
    String forged =
        "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='forged'/>"
            + "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='forged'/>"
            + "<x xmlns='http://jabber.org/protocol/muc#user'><item affiliation='owner'"
            + " role='moderator' jid='forged@example.org'/><status code='332'/></x>";
    String hats = "<hats xmlns='urn:xmpp:hats:0'><hat uri='forged' title='Host'/></hats>";
    try (ScriptedClient victim = room.occupant("victim64");
        ScriptedClient attacker = target.named("attacker64@example.org/r")) {
      room.enters(attacker, "attacker64", forged + hats);
      attacker.send("<presence to='row64@rooms.example.org/attacker64'>" + hats + "</presence>");
      attacker.send("<presence to='row64@rooms.example.org/other64'>" + forged + "</presence>");
      room.say(attacker, "<body>x</body>" + forged);
      attacker.send(
          "<message type='chat' to='row64@rooms.example.org/victim64'><body>x</body>"
              + forged
              + "</message>");
      attacker.send(
          "<presence type='unavailable' to='row64@rooms.example.org/other64'>"
              + forged
              + "</presence>");
      attacker.fence("f", room.room());
      victim.fence("f", room.room());
      // Came, again, two for the nickname, two messages, went.
      assertThat(victim.unread()).isEqualTo(7);
      List<String> ids = new ArrayList<>();
      while (victim.unread() > 0) {
        XmlElement told = victim.receive();
        assertThat(told.toString()).doesNotContain("forged").doesNotContain("'332'");
        told.children().stream()
            .filter(child -> child.is("urn:xmpp:occupant-id:0", "occupant-id"))
            .forEach(child -> ids.add(child.attribute("id")));
      }
      assertThat(ids).hasSize(7);
      assertThat(ids.stream().distinct()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "agent smith",
        "AGENT SMITH",
        "\uFF21gent Smith",
        "Agent\u00A0Smith",
        "Agent\u2003Smith",
        "Agent  Smith",
        " Agent Smith",
        "Agent Smith ",
        "Agent S\u200Dmith",
        "Agent S\u200Bmith",
        "\u202EAgent Smith",
        "Agent Smith\u2069",
        "Agent Sm\u00ADith",
        "\u2060Agent Smith"
      })
  void row69_aNameThatLooksTheSameIsTaken(String nick) {
    Attacked room = Attacked.room(target, "row69");
    try (ScriptedClient victim = target.named("victim69@example.org/r");
        ScriptedClient attacker = target.named("attacker69@example.org/r")) {
      XmlElement self = room.enters(victim, "Agent Smith", "");
      if (self.toString().contains("'201'")) {
        room.configure(victim, "");
      }
      XmlElement answer = room.enters(attacker, nick, "");
      assertThat(answer.condition()).isIn("conflict", "jid-malformed", "not-acceptable");
      room.enters(attacker, "someone else", "");
      attacker.send("<presence to='" + XmlElement.escape(room.room() + "/" + nick) + "'/>");
      XmlElement renamed = attacker.receiveFirst(e -> "error".equals(e.attribute("type")));
      assertThat(renamed.condition()).isIn("conflict", "jid-malformed", "not-acceptable");
    }
  }

  @Test
  void row69_ofConcurrentRequestsForANicknameOneSucceeds() throws InterruptedException {
    Attacked room = Attacked.room(target, "row69race");
    try (ScriptedClient owner = room.occupant("owner69")) {
      List<String> answers =
          atOnce(
              6,
              (client, i) -> {
                XmlElement answer = room.enters(client, i % 2 == 0 ? "Neo" : "neo", "");
                return answer.condition().isEmpty() ? "in" : answer.condition();
              },
              "racer69-");
      assertThat(answers).containsOnlyOnce("in").contains("conflict");
      owner.fence("f", room.room());
      assertThat(owner.unread()).isEqualTo(2); // It comes, and goes with its connection.
    }
  }

  @Test
  void row73_ofConcurrentCreatorsOfARoomOneBecomesOwner() throws InterruptedException {
    Attacked room = Attacked.room(target, "row73race");
    List<String> answers =
        atOnce(
            6,
            (client, i) -> {
              XmlElement answer = room.enters(client, "n" + i, "");
              boolean owner = answer.toString().contains("affiliation='owner'");
              String change = room.ask(client, "get", "#owner", "").condition();
              assertThat(change.isEmpty()).isEqualTo(owner);
              return Attacked.hasCode(answer, "201") ? "made" : answer.condition();
            },
            "founder73-");
    assertThat(answers).containsOnlyOnce("made").contains("item-not-found");
  }

  private interface Act {
    String by(ScriptedClient client, int index);
  }

  /// Lets some new people do the same at the same moment, each on a thread of its own.
  private List<String> atOnce(int people, Act act, String name) throws InterruptedException {
    List<ScriptedClient> clients = new ArrayList<>();
    for (int i = 0; i < people; i++) {
      clients.add(target.named(name + i + "@example.org/r"));
    }
    CountDownLatch go = new CountDownLatch(1);
    String[] answers = new String[people];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < people; i++) {
      int index = i;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  go.await();
                  answers[index] = act.by(clients.get(index), index);
                } catch (InterruptedException | AssertionError e) {
                  answers[index] = String.valueOf(e.getMessage());
                }
              }));
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    clients.forEach(ScriptedClient::disconnect);
    return List.of(answers);
  }

  @Test
  void row73_aRoomOverADestroyedOneKnowsNothingOfIt() {
    Attacked room = Attacked.room(target, "row73");
    try (ScriptedClient first = room.occupant("first73");
        ScriptedClient second = target.named("second73@example.org/r")) {
      room.configure(first, field("persistentroom", "1") + field("roomname", "Secrets"));
      room.say(first, "<body>secret</body>");
      room.say(first, "<subject>secret</subject>");
      room.ask(first, "set", "#owner", "<destroy/>");
      XmlElement self = room.enters(second, "second73", "");
      assertThat(Attacked.hasCode(self, "201")).isTrue();
      room.configure(second, "");
      second.skipUnread();
      XmlElement refused = room.ask(first, "get", "#owner", "");
      assertThat(refused.condition()).isEqualTo("forbidden");
      assertThat(room.ask(second, "get", "#owner", "").toString()).doesNotContain("Secrets");
      second.send(
          "<iq type='set' id='mam' to='" + room.room() + "'><query xmlns='urn:xmpp:mam:2'/></iq>");
      second.receiveFirst(e -> "mam".equals(e.attribute("id")));
      while (second.unread() > 0) {
        assertThat(second.receive().toString()).doesNotContain("secret");
      }
    }
  }

  @Test
  void row73_aListIsAppliedCompletelyOrNotAtAll() {
    Attacked room = Attacked.room(target, "row73list");
    try (ScriptedClient owner = room.occupant("owner73")) {
      XmlElement refused =
          room.ask(
              owner,
              "set",
              "#admin",
              "<item affiliation='owner' jid='heir73@example.org'/>"
                  + "<item affiliation='outcast' jid='not@an@address'/>"
                  + "<item affiliation='none' jid='owner73@example.org'/>");
      assertThat(refused.attribute("type")).isEqualTo("error");
      XmlElement owners = room.ask(owner, "get", "#admin", "<item affiliation='owner'/>");
      assertThat(owners.toString()).contains("owner73@").doesNotContain("heir73@");

      // By a full address it is still the account that is meant.
      room.ask(
          owner, "set", "#admin", "<item affiliation='member' jid='heir73@example.org/phone'/>");
      XmlElement members = room.ask(owner, "get", "#admin", "<item affiliation='member'/>");
      assertThat(members.toString()).doesNotContain("/phone");
    }
  }

  @Test
  void row74_messagesOfNonOccupantsAndVisitorsAreRejected() {
    Attacked room = Attacked.room(target, "row74");
    Attacked other = Attacked.room(target, "row74other");
    try (ScriptedClient owner = room.occupant("owner74");
        ScriptedClient visitor = target.named("visitor74@example.org/r");
        ScriptedClient ghost = other.occupant("ghost74")) {
      room.configure(owner, field("moderatedroom", "1") + field("changesubject", "1"));
      room.enters(visitor, "visitor74", "");
      visitor.skipUnread();
      owner.fence("f", room.room());
      owner.skipUnread();

      room.say(visitor, "<body>x</body>");
      assertThat(message(visitor).condition()).isEqualTo("forbidden");
      room.say(visitor, "<subject>x</subject>");
      assertThat(message(visitor).condition()).isEqualTo("forbidden");
      room.say(ghost, "<body>x</body>");
      assertThat(message(ghost).condition()).isEqualTo("not-acceptable");
      room.say(ghost, "<subject>x</subject>");
      assertThat(message(ghost).condition()).isEqualTo("not-acceptable");
      for (String type : List.of("chat", "normal", "headline", "groupchat")) {
        ghost.send(
            "<message type='"
                + type
                + "' to='"
                + room.room()
                + "/owner74'><body>x</body></message>");
        assertThat(message(ghost).condition()).isEqualTo("not-acceptable");
      }
      visitor.send(
          "<message type='groupchat' to='" + room.room() + "/owner74'><body>x</body></message>");
      assertThat(message(visitor).condition()).isEqualTo("bad-request");
      owner.fence("f", room.room());
      assertThat(owner.unread()).isZero();
    }
  }

  @Test
  void row75_aNameDoesNotFillTheScreen() {
    Attacked room = Attacked.room(target, "row75name");
    try (ScriptedClient owner = room.occupant("owner75s");
        ScriptedClient attacker = target.named("attacker75s@example.org/r")) {
      assertThat(room.enters(attacker, "x".repeat(1_000), "").condition())
          .isEqualTo("not-acceptable");
      assertThat(room.enters(attacker, "x".repeat(2_000), "").condition())
          .isEqualTo("jid-malformed");
      owner.fence("f", room.room());
      assertThat(owner.unread()).isZero();
    }
  }

  @Test
  void row75_whatAnOccupantSaysOfItselfIsShort() {
    Attacked room = Attacked.room(target, "row75long");
    String lots = "<status>" + "x".repeat(100_000) + "</status>";
    try (ScriptedClient owner = room.occupant("owner75l");
        ScriptedClient attacker = target.named("attacker75l@example.org/r")) {
      // It would be kept for each, and told to everyone who comes.
      assertThat(room.enters(attacker, "attacker75l", lots).condition())
          .isEqualTo("not-acceptable");
      assertThat(room.enters(attacker, "attacker75l", "").condition()).isEmpty();
      attacker.skipUnread();
      attacker.send("<presence to='" + room.room() + "/attacker75l'>" + lots + "</presence>");
      assertThat(attacker.receive().condition()).isEqualTo("not-acceptable");
      owner.fence("f", room.room());
      assertThat(owner.unread()).isEqualTo(1);
      owner.skipUnread();
      attacker.send(
          "<presence type='unavailable' to='"
              + room.room()
              + "/attacker75l'>"
              + lots
              + "</presence>");
      XmlElement gone = owner.receive();
      assertThat(gone.attribute("type")).isEqualTo("unavailable");
      assertThat(gone.child("status")).isNull();
    }
  }

  @Test
  void row81_errorsAreNotAnsweredAndRemoveNoExistingSession() {
    Attacked room = Attacked.room(target, "row81");
    try (ScriptedClient victim = room.occupant("victim81");
        ScriptedClient attacker = room.occupant("attacker81");
        ScriptedClient stranger = target.named("stranger81@example.org/r")) {
      victim.fence("before", room.room());
      victim.skipUnread();
      String error =
          "<error type='cancel'><service-unavailable"
              + " xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>";
      for (String to : List.of(room.room(), room.room() + "/victim81", room.room() + "/nobody")) {
        stranger.send("<message type='error' to='" + to + "'>" + error + "</message>");
        stranger.send("<presence type='error' to='" + to + "'>" + error + "</presence>");
        stranger.send("<iq type='error' id='e' to='" + to + "'>" + error + "</iq>");
      }
      stranger.fence("f", room.room());
      assertThat(stranger.unread()).isZero();
      victim.fence("f", room.room());
      assertThat(victim.unread()).isZero();

      attacker.send("<message type='error' to='" + room.room() + "'>" + error + "</message>");
      attacker.fence("f", room.room());
      victim.fence("f2", room.room());
      assertThat(victim.unread()).isZero();
      room.say(attacker, "<body>still here</body>");
      assertThat(victim.receive().attribute("from")).isEqualTo(room.room() + "/attacker81");
    }
  }

  @Test
  void row85_privateMessagesOfABlockedUserAreRejected() {
    Attacked room = Attacked.room(target, "row85");
    try (ScriptedClient victim = room.occupant("victim85");
        ScriptedClient pest = room.occupant("pest85")) {
      victim.send(
          "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'>"
              + "<item jid='pest85@example.org'/></block></iq>");
      victim.receiveFirst(e -> "b".equals(e.attribute("id")));
      victim.fence("before", room.room());
      victim.skipUnread();
      pest.send(
          "<message type='chat' to='" + room.room() + "/victim85'><body>psst</body></message>");
      assertThat(message(pest).condition()).isEqualTo("service-unavailable");
      // It is still an occupant like others, and heard as such.
      room.say(pest, "<body>to all</body>");
      assertThat(message(victim).childText("body")).isEqualTo("to all");
      victim.fence("f", room.room());
      assertThat(victim.unread()).isZero();
    }
  }

  @Test
  void row85_requestsOfABlockedUserAreRejected() {
    Attacked room = Attacked.room(target, "row85iq");
    try (ScriptedClient victim = room.occupant("victim85i");
        ScriptedClient pest = room.occupant("pest85i")) {
      victim.send(
          "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'>"
              + "<item jid='pest85i@example.org'/></block></iq>");
      victim.receiveFirst(e -> "b".equals(e.attribute("id")));
      pest.send("<iq type='get' id='i' to='" + room.room() + "/victim85i'><q xmlns='urn:q'/></iq>");
      XmlElement asked = pest.receiveFirst(e -> "i".equals(e.attribute("id")));
      assertThat(asked.condition()).isEqualTo("service-unavailable");
    }
  }
}
