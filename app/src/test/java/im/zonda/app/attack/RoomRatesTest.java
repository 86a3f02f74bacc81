package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// How many rooms one account creates, and how fast one occupant does what. Each test has a room
/// and accounts of its own.
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoomRatesTest {
  private Target target;

  /// A server with a low rate, which is soon exceeded: a client that exceeds it is read slowly.
  private Target strict;

  @BeforeAll
  void start() throws IOException {
    target = Target.usual();
    strict = new Target(Target.plan().with("rooms.presenceRate", 5));
  }

  @AfterAll
  void stop() {
    for (Target each : List.of(target, strict)) {
      each.serves();
      each.close();
    }
  }

  @Test
  void row73_anAccountMakesAsManyRoomsAsItMayAndNoMore() throws InterruptedException {
    int allowed = target.server().config().rooms().roomsPerAccount();
    int connections = 6;
    int each = allowed / connections + 20;
    List<ScriptedClient> clients = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      clients.add(target.named("founder17@example.org/r" + i));
    }
    AtomicInteger made = new AtomicInteger();
    Queue<String> refusals = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      int index = i;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int k = 0; k < each; k++) {
                  Attacked room = Attacked.room(target, "row17-" + index + "-" + k);
                  String refusal = room.enters(clients.get(index), "n", "").condition();
                  if (refusal.isEmpty()) {
                    made.incrementAndGet();
                  } else {
                    refusals.add(refusal);
                  }
                  if (refusal.isEmpty() && k % 3 == 0) {
                    room.configure(clients.get(index), "");
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(made).hasValue(allowed);
    assertThat(refusals).hasSize(each * connections - allowed).containsOnly("resource-constraint");
    // What has ended makes room, configured or not.
    Attacked stored = Attacked.room(target, "row17-0-0");
    assertThat(stored.ask(clients.getFirst(), "set", "#owner", "<destroy/>").condition()).isEmpty();
    clients.getFirst().send("<presence type='unavailable' to='row17-0-1@rooms.example.org/n'/>");
    clients.getFirst().fence("left", "row17-0-1@rooms.example.org");
    for (String name : List.of("row17-again", "row17-twice")) {
      Attacked room = Attacked.room(target, name);
      assertThat(room.enters(clients.get(1), "n", "").condition()).isEmpty();
    }
    Attacked more = Attacked.room(target, "row17-more");
    assertThat(more.enters(clients.get(1), "n", "").condition()).isEqualTo("resource-constraint");
    clients.forEach(ScriptedClient::disconnect);
  }

  @Test
  void row75_messagesComeAtARateThatPeopleCanRead() {
    Attacked room = Attacked.room(target, "row75");
    int allowed = target.server().config().rooms().messageRate();
    try (ScriptedClient owner = room.occupant("owner75");
        ScriptedClient attacker = room.occupant("attacker75")) {
      for (int i = 0; i < 1_000; i++) {
        room.say(attacker, "<body>x</body>");
      }
      attacker.fence("f", room.room());
      int refused = 0;
      while (attacker.unread() > 0) {
        refused += attacker.receive().condition().equals("policy-violation") ? 1 : 0;
      }
      // Ten seconds may have passed meanwhile.
      assertThat(refused).isGreaterThanOrEqualTo(1_000 - 2 * allowed);
      room.say(owner, "<body>I may</body>");
      owner.fence("f", room.room());
      assertThat(owner.unread()).isBetween(allowed + 1, 2 * allowed + 3);
    }
  }

  @Test
  void row75_comingAndGoingHasARate() {
    Attacked room = Attacked.room(strict, "row75joins");
    int allowed = strict.server().config().rooms().presenceRate();
    try (ScriptedClient owner = room.occupant("owner75j");
        ScriptedClient attacker = strict.named("attacker75j@example.org/r")) {
      int sent = 200;
      for (int i = 0; i < sent; i++) {
        attacker.send(Attacked.enter(room.room() + "/a" + i, ""));
        attacker.send("<presence type='unavailable' to='" + room.room() + "/a" + i + "'/>");
      }
      attacker.fence("f", room.room());
      int refused = 0;
      while (attacker.unread() > 0) {
        refused += attacker.receive().condition().equals("policy-violation") ? 1 : 0;
      }
      // It has been delayed, so that some time has passed; ten times the rate is what passes at
      // once.
      assertThat(refused).isBetween(1, sent - 10 * allowed);
      owner.fence("f", room.room());
      assertThat(owner.unread()).isEqualTo(2 * (sent - refused));
    }
  }

  @Test
  void row75_scriptsMayEnterAndChangeInBursts() {
    Attacked room = Attacked.room(target, "row75burst");
    int burst = 2 * target.server().config().rooms().presenceRate();
    try (ScriptedClient owner = room.occupant("owner75b");
        ScriptedClient script = target.named("script75b@example.org/r")) {
      for (int i = 0; i < burst; i++) {
        script.send(Attacked.enter(room.room() + "/s" + i, ""));
        script.send("<presence type='unavailable' to='" + room.room() + "/s" + i + "'/>");
      }
      script.fence("f", room.room());
      owner.fence("f", room.room());
      assertThat(owner.unread()).as("nothing is lost").isEqualTo(2 * burst);
      for (int i = 0; i < burst; i++) {
        String nick = owner.receive().attribute("from");
        assertThat(nick).as("in order").isEqualTo(room.room() + "/s" + i);
        assertThat(owner.receive().attribute("type")).isEqualTo("unavailable");
      }
      room.enters(script, "script75b", "");
      script.skipUnread();
      for (int i = 0; i < burst; i++) {
        String role = i % 2 == 0 ? "visitor" : "participant";
        assertThat(
                room.ask(owner, "set", "#admin", "<item nick='script75b' role='" + role + "'/>")
                    .condition())
            .isEmpty();
      }
      script.fence("roles", room.room());
      assertThat(script.unread()).isEqualTo(burst);
    }
  }

  @Test
  void row75_nicknamesChangeAtARate() {
    Attacked room = Attacked.room(strict, "row75nicks");
    int allowed = strict.server().config().rooms().presenceRate();
    try (ScriptedClient attacker = room.occupant("attacker75n")) {
      int sent = 200;
      for (int i = 0; i < sent; i++) {
        attacker.send("<presence to='" + room.room() + "/b" + i + "'/>");
      }
      attacker.fence("f", room.room());
      int refused = 0;
      while (attacker.unread() > 0) {
        refused += attacker.receive().condition().equals("policy-violation") ? 1 : 0;
      }
      assertThat(refused).isBetween(1, sent - 10 * allowed);
    }
  }
}
