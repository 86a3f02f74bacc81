package im.zonda.app.journal;

import im.zonda.app.operation.ServerOperations;
import im.zonda.operation.Caller;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.server.TestServer;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// Asks a server why messages do not arrive.
public final class Inquiry {
  private static final Caller OWNER = Caller.owner("root");

  private final String host;
  private final Operations operations;
  private final Runnable meanwhile;

  /// @param host whose administrator asks
  /// @param meanwhile run again and again until the server has answered
  public Inquiry(TestServer server, String host, Runnable meanwhile) {
    this.host = host;
    this.meanwhile = meanwhile;
    FakeClock clock = new FakeClock();
    ServerRuntime runtime =
        new ServerRuntime(clock, clock, () -> "job", new SecureRandom(), Runnable::run);
    operations = ServerOperations.over(server.server(), server.stores(), runtime).operations();
  }

  /// Runs an operation that must succeed.
  public Map<String, @Nullable Object> run(String name, Map<String, ?> given) {
    FutureTask<Outcome<?>> running = new FutureTask<>(() -> operations.run(OWNER, name, given));
    Thread.ofVirtual().start(running);
    while (!running.isDone()) {
      meanwhile.run();
      Thread.onSpinWait();
    }
    Outcome<?> outcome = running.resultNow();
    if (outcome instanceof Outcome.Done<?>(Record result)) {
      return Shape.of(result.getClass()).data(result);
    }
    throw new AssertionError(name + ": " + outcome);
  }

  /// What an operation says of a message.
  ///
  /// @param more what is asked for besides sender and receiver
  public List<Map<?, ?>> findings(
      String operation, Map<String, ?> more, String sender, String receiver) {
    Map<String, Object> given = new HashMap<>(more);
    given.putIfAbsent("host", host);
    given.put("sender", sender);
    given.put("receiver", receiver);
    List<?> findings = (List<?>) Objects.requireNonNull(run(operation, given).get("findings"));
    return findings.stream().<Map<?, ?>>map(each -> (Map<?, ?>) each).toList();
  }

  /// The words of what became of a message, the most likely cause first.
  public List<String> why(String sender, String receiver) {
    return reasons(findings("message.fate", Map.of(), sender, receiver));
  }

  /// The words of the reasons of findings.
  public static List<String> reasons(List<Map<?, ?>> findings) {
    return findings.stream().map(each -> String.valueOf(each.get("reason"))).toList();
  }
}
