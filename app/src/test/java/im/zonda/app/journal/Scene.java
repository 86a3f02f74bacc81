package im.zonda.app.journal;

import im.zonda.app.StandardModules;
import im.zonda.app.operation.ServerOperations;
import im.zonda.config.Components;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.operation.Caller;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// A server on which a message does not arrive, and the operation that says why.
final class Scene implements AutoCloseable {
  static final String ROMEO = "romeo@example.org";
  static final String JULIET = "juliet@example.org";
  static final String ROOM = "green@rooms.example.org";
  static final String COMPONENT = "gateway.example.org";

  private static final Caller OWNER = Caller.owner("root");

  private final FakeClock clock = new FakeClock();
  private final TestServer server;
  private final Operations operations;
  private int next;

  Scene() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withConfig(Scene::configured)
            .withClock(clock)
            .startInMemory();
    ServerRuntime runtime =
        new ServerRuntime(clock, clock, () -> "job", new SecureRandom(), Runnable::run);
    operations = ServerOperations.over(server.server(), server.stores(), runtime).operations();
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
    FutureTask<Outcome<?>> running = new FutureTask<>(() -> operations.run(OWNER, name, given));
    Thread.ofVirtual().start(running);
    while (!running.isDone()) {
      server.advance(Duration.ZERO); // it waits for what the server does
      Thread.onSpinWait();
    }
    Outcome<?> outcome = running.resultNow();
    if (outcome instanceof Outcome.Done<?>(Record result)) {
      return Shape.of(result.getClass()).data(result);
    }
    throw new AssertionError(name + ": " + outcome);
  }

  /// What is known of a message, the most likely cause first.
  List<Map<?, ?>> why(String sender, String receiver) {
    return findings("message.fate", Map.of(), sender, receiver);
  }

  /// The same of a message about that time, or with an id.
  List<Map<?, ?>> why(Map<String, ?> more, String sender, String receiver) {
    return findings("message.fate", more, sender, receiver);
  }

  /// Whether a message would arrive.
  List<Map<?, ?>> probe(String sender, String receiver) {
    return findings("message.probe", Map.of(), sender, receiver);
  }

  private List<Map<?, ?>> findings(
      String operation, Map<String, ?> more, String sender, String receiver) {
    Map<String, Object> given = new HashMap<>(more);
    given.putIfAbsent("host", "example.org");
    given.put("sender", sender);
    given.put("receiver", receiver);
    List<?> findings = (List<?>) Objects.requireNonNull(run(operation, given).get("findings"));
    return findings.stream().<Map<?, ?>>map(each -> (Map<?, ?>) each).toList();
  }

  /// The words of the reasons of findings.
  static List<String> reasons(List<Map<?, ?>> findings) {
    return findings.stream().map(each -> String.valueOf(each.get("reason"))).toList();
  }

  void advance(Duration time) {
    server.advance(time);
  }

  @Override
  public void close() {
    server.close();
  }
}
