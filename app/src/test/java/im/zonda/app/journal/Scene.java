package im.zonda.app.journal;

import im.zonda.app.StandardModules;
import im.zonda.config.ServerConfig;
import im.zonda.config.component.Components;
import im.zonda.config.copy.RecordCopy;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A server on which a message does not arrive, and the operation that says why.
final class Scene implements AutoCloseable {
  static final String ROMEO = "romeo@example.org";
  static final String JULIET = "juliet@example.org";
  static final String ROOM = "green@rooms.example.org";
  static final String COMPONENT = "gateway.example.org";

  private final FakeClock clock = new FakeClock();
  private final TestServer server;
  private final Inquiry inquiry;
  private int next;

  Scene() throws IOException {
    this(ServerPlan.of(StandardModules::create));
  }

  /// @param plan of the server
  Scene(ServerPlan plan) throws IOException {
    server = plan.withConfig(Scene::configured).withClock(clock).startInMemory();
    inquiry = new Inquiry(server, "example.org", () -> server.advance(Duration.ZERO));
    server.accounts(List.of(ROMEO, JULIET));
  }

  private static ServerConfig configured(ServerConfig config) {
    ServerConfig changed = RecordCopy.with(config, "limits.offlineMessages", 2);
    return RecordCopy.with(
        changed,
        "component",
        new Components(
            List.of(), Duration.ofSeconds(2), 400_000, 4, Map.of(COMPONENT, "component secret")));
  }

  TestServer server() {
    return server;
  }

  /// A client that has no presence yet.
  ScriptedClient client(String account) {
    return server.connect(account + "/c" + ++next);
  }

  /// A client that is available.
  ScriptedClient available(String account) {
    ScriptedClient client = client(account);
    client.send("<presence/>");
    client.fence("p" + next);
    return client;
  }

  /// Runs an operation that must succeed.
  Map<String, @Nullable Object> run(String name, Map<String, ?> given) {
    return inquiry.run(name, given);
  }

  /// What is known of a message, the most likely cause first.
  List<Map<?, ?>> why(String sender, String receiver) {
    return why(Map.of(), sender, receiver);
  }

  /// The same of a message about that time, or with an id.
  List<Map<?, ?>> why(Map<String, ?> more, String sender, String receiver) {
    return inquiry.findings("message.fate", more, sender, receiver);
  }

  /// Whether a message would arrive.
  List<Map<?, ?>> probe(String sender, String receiver) {
    return inquiry.findings("message.probe", Map.of(), sender, receiver);
  }

  Instant now() {
    return clock.instant();
  }

  void advance(Duration time) {
    server.advance(time);
  }

  @Override
  public void close() {
    server.close();
  }
}
