package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Addresses of rooms that nobody has made cost memory for a moment only.
@Timeout(60)
@Tag("small-heap")
class RoomMemoryTest {
  private static final int ADDRESSES = 20_000;
  private static final int SOME = 200;

  private final AtomicInteger finds = new AtomicInteger();

  private TestServer server(int homes) throws IOException {
    return Target.plan()
        .withClock(new FakeClock())
        .withStores(stores -> new CountingRooms(stores, finds))
        .with("limits.homes", homes)
        .with("limits.cacheBytes", 1) // so that the store is asked whenever a home is loaded
        .startInMemory();
  }

  /// Writes to that many addresses, in the ways that have no limit of their own.
  private static void ask(ScriptedClient client, int addresses) {
    for (int i = 0; i < addresses; i++) {
      String room = "r" + i + "@rooms.example.org";
      client.send(
          switch (i % 4) {
            case 0 ->
                "<iq type='get' id='q' to='"
                    + room
                    + "'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>";
            case 1 -> "<message type='groupchat' to='" + room + "'><body>x</body></message>";
            case 2 -> "<message type='chat' to='" + room + "/x'><body>x</body></message>";
            default -> "<presence type='unavailable' to='" + room + "/x'/>";
          });
      if (i % 100 == 99) {
        client.fence("f" + i, room);
        client.skipUnread();
      }
    }
  }

  @Test
  void addressesWithoutRoomsAreForgottenWhenTheyAreMany() throws IOException {
    try (TestServer server = server(1_000);
        ScriptedClient client = server.connect("asker@example.org/r")) {
      ask(client, ADDRESSES);
      int first = finds.getAndSet(0);
      assertThat(first).isGreaterThanOrEqualTo(ADDRESSES);
      // No time has passed. What has a home would not be looked for again.
      ask(client, SOME);
      assertThat(finds.get()).isGreaterThanOrEqualTo(SOME);
    }
  }

  @Test
  void addressesWithoutRoomsAreForgottenAfterAWhile() throws IOException {
    try (TestServer server = server(1_000_000);
        ScriptedClient client = server.connect("asker@example.org/r")) {
      ask(client, SOME);
      finds.set(0);
      ask(client, SOME);
      assertThat(finds.get()).as("they are still at home").isLessThan(SOME / 2);
      server.advance(Duration.ofMinutes(10));
      finds.set(0);
      ask(client, SOME);
      assertThat(finds.get()).isGreaterThanOrEqualTo(SOME);
    }
  }
}
