package im.zonda.app.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.ServerConfig;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many sessions enter, leave, send messages and change their nicknames in a few rooms at the same
/// time, each on its own thread. All occupants of a room receive the same stanzas in the same order
/// without gaps, and in the end agree on the occupants.
@Timeout(120)
class RoomOrderTest {
  private static final int SESSIONS = 20;
  private static final int STEPS = 200;
  private static final int NICKS = 25;
  private static final List<String> ROOMS =
      List.of("one@rooms.example.org", "two@rooms.example.org", "three@rooms.example.org");

  /// One session with its rooms.
  private static final class Actor {
    private final ScriptedClient client;
    private final Map<String, Occupying> rooms = new TreeMap<>();
    private final String name;
    private int count;

    Actor(TestServer server, String name) {
      this.name = name;
      Login login = Login.of(name + "@example.org/r", TestServer.PASSWORD);
      client = server.login(login.withSecurity(Login.Security.NONE));
      ROOMS.forEach(room -> rooms.put(room, new Occupying(client, room)));
    }

    private Occupying room(String address) {
      return Objects.requireNonNull(rooms.get(address));
    }

    private String mark() {
      return name + "." + ++count;
    }

    void act(SplittableRandom random) {
      for (int step = 0; step < STEPS; step++) {
        step(random);
      }
    }

    private void step(SplittableRandom random) {
      Occupying room = room(ROOMS.get(random.nextInt(ROOMS.size())));
      String nick = room.nick();
      int choice = random.nextInt(100);
      if (nick == null) {
        // Nicknames are few: two who want the same come at the same moment now and then.
        room.present("n" + random.nextInt(NICKS), mark());
        listen();
      } else if (choice < 65) {
        room.say(mark());
      } else if (choice < 75) {
        room.present(nick, mark());
      } else if (choice < 90) {
        room.present("n" + random.nextInt(NICKS), mark());
        listen();
      } else {
        room.leave(mark());
        listen();
      }
    }

    /// Notes all stanzas that have arrived once all rooms have handled their input.
    void listen() {
      ROOMS.forEach(room -> client.fence("fence" + ++count, room));
      while (client.unread() > 0) {
        XmlElement stanza = client.receive();
        String from = String.valueOf(stanza.attribute("from"));
        Occupying room = rooms.get(from.split("/", 2)[0]);
        if (room != null) {
          room.take(stanza);
        }
      }
    }

    /// Makes the rooms and stays in them.
    void found() {
      for (String room : ROOMS) {
        room(room).present("founder", mark());
        client.send(
            "<iq type='set' id='unlock' to='"
                + room
                + "'><query xmlns='"
                + Occupying.MUC
                + "#owner'><x xmlns='jabber:x:data' type='submit'/></query></iq>");
        client.receiveFirst(e -> "unlock".equals(e.attribute("id")));
      }
      listen();
    }
  }

  @Test
  void allOccupantsReceiveTheSameInTheSameOrder() throws Exception {
    try (TestServer server = server()) {
      List<String> names = new ArrayList<>(List.of("founder@example.org"));
      for (int i = 0; i < SESSIONS; i++) {
        names.add("u" + i + "@example.org");
      }
      server.accounts(names);
      Actor founder = new Actor(server, "founder");
      founder.found();
      List<Actor> actors = new ArrayList<>(List.of(founder));
      List<Thread> threads = new ArrayList<>();
      SplittableRandom random = new SplittableRandom(4711);
      for (int i = 0; i < SESSIONS; i++) {
        Actor actor = new Actor(server, "u" + i);
        actors.add(actor);
        SplittableRandom own = random.split();
        threads.add(Thread.ofVirtual().unstarted(() -> actor.act(own)));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      actors.forEach(Actor::listen);

      for (String room : ROOMS) {
        List<Occupying> views = actors.stream().map(actor -> actor.room(room)).toList();
        assertOneOrder(views);
        assertOneView(views);
      }
      actors.forEach(actor -> actor.client.close());
    }
  }

  private static TestServer server() throws Exception {
    return ServerPlan.of(StandardModules::create)
        .with("c2s.plaintext", ServerConfig.Plaintext.LOOPBACK)
        .with("rooms.messageRate", 0)
        .with("rooms.presenceRate", 0)
        .startOnSockets();
  }

  /// The stanza that follows an event is the same for all occupants that received the event: all
  /// stanzas are part of one sequence, without gaps between entering and leaving.
  private static void assertOneOrder(List<Occupying> views) {
    Map<String, String> next = new HashMap<>();
    Map<String, String> previous = new HashMap<>();
    List<String> faults = new ArrayList<>();
    int told = 0;
    for (Occupying view : views) {
      for (List<String> stay : view.stays()) {
        told += stay.size();
        for (int i = 1; i < stay.size(); i++) {
          String after = next.putIfAbsent(stay.get(i - 1), stay.get(i));
          String before = previous.putIfAbsent(stay.get(i), stay.get(i - 1));
          if ((after != null && !after.equals(stay.get(i)))
              || (before != null && !before.equals(stay.get(i - 1)))) {
            faults.add(view.nick() + ": " + before + " | " + stay.get(i) + " | " + after);
          }
        }
      }
    }
    assertThat(faults).as(views.getFirst().room()).isEmpty();
    assertThat(told).isGreaterThan(SESSIONS * STEPS / ROOMS.size());
  }

  /// All who are there agree on who is there, and that is those who are.
  private static void assertOneView(List<Occupying> views) {
    TreeSet<String> there = new TreeSet<>();
    for (Occupying view : views) {
      String nick = view.nick();
      if (nick != null) {
        assertThat(there.add(nick)).as("%s has one occupant", nick).isTrue();
      }
    }
    Map<String, String> first = views.getFirst().view();
    assertThat(first.keySet()).isEqualTo(there);
    for (Occupying view : views) {
      if (view.isThere()) {
        assertThat(view.view()).as("the view of %s", view.nick()).isEqualTo(first);
      }
    }
  }
}
