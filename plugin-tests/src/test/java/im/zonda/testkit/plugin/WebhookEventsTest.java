package im.zonda.testkit.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import im.zonda.json.JsonReader;
import im.zonda.plugins.webhooks.Webhooks;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The plugin webhooks in a server, with a service that gets all events.
class WebhookEventsTest {
  private static final String ROOM = "coven@rooms.example.org";

  @TempDir Path folder;
  private final List<String> events = new CopyOnWriteArrayList<>();
  private HttpServer service;

  @BeforeEach
  void startService() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/", this::accept);
    service.start();
    Files.writeString(
        folder.resolve("all.toml"),
        "url = \"http://127.0.0.1:"
            + service.getAddress().getPort()
            + "/\"\nkinds = \"all\"\ncontents = \"text\"\nbatch-delay = \"0ms\"\n");
  }

  @AfterEach
  void stopService() {
    service.stop(0);
  }

  private void accept(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    if (JsonReader.object(body).get("events") instanceof List<?> all) {
      all.forEach(each -> events.add(line((Map<?, ?>) each)));
    }
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  private static String line(Map<?, ?> event) {
    StringBuilder line = new StringBuilder(String.valueOf(event.get("kind")));
    for (String name : List.of("session", "from", "to", "type", "room", "nick", "user", "body")) {
      if (event.containsKey(name)) {
        line.append(' ').append(event.get(name));
      }
    }
    return line.toString();
  }

  private void await(String event) {
    Eventually.await(event, () -> events.contains(event));
  }

  @Test
  void whatHappensInAServerArrivesInOrder() throws IOException {
    try (PluginServer server =
        PluginServer.start(
            Webhooks.class,
            Map.of(
                "targets", folder.toString(),
                "secret", "open-sesame-0123456789",
                "contents", "text"))) {
      ScriptedClient alice = server.connect("alice@example.org/desk");
      ScriptedClient bob = server.connect("bob@example.org/desk");
      alice.send("<message to='bob@example.org' type='chat'><body>Hello</body></message>");
      await("message-delivered alice@example.org/desk bob@example.org chat Hello");
      alice.send(
          "<presence to='" + ROOM + "/hag'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
      await("room-entered " + ROOM + " hag alice@example.org/desk");
      alice.send("<message to='" + ROOM + "' type='groupchat'><body>Hail</body></message>");
      await("room-message " + ROOM + "/hag groupchat " + ROOM + " hag alice@example.org/desk Hail");
      alice.send("<presence to='" + ROOM + "/hag' type='unavailable'/>");
      await("room-left " + ROOM + " hag alice@example.org/desk");
      bob.close();
      await("session-ended bob@example.org/desk");
      assertThat(events)
          .containsSubsequence(
              "session-started alice@example.org/desk",
              "presence alice@example.org/desk available",
              "session-started bob@example.org/desk",
              "message-sent alice@example.org/desk bob@example.org chat Hello",
              "room-created " + ROOM + " alice@example.org",
              "room-entered " + ROOM + " hag alice@example.org/desk",
              "room-left " + ROOM + " hag alice@example.org/desk",
              "session-ended bob@example.org/desk");
      assertThat(Objects.requireNonNull(server.status()).last()).isNull();
    }
  }
}
