package im.zonda.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import im.zonda.app.StandardModules;
import im.zonda.app.log.LogOperations.Line;
import im.zonda.app.operation.ServerOperations;
import im.zonda.cluster.Member;
import im.zonda.operation.Caller;
import im.zonda.operation.Outcome;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.RealTimers;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The logs of other nodes are followed at one of them.
@Timeout(60)
class LogOfNodesTest {
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final RealTimers timers = new RealTimers();
  private final Map<String, ServerOperations> nodes = new LinkedHashMap<>();
  private final Map<String, RecentLines> logs = new LinkedHashMap<>();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private TestCluster cluster;

  @SuppressWarnings("NullAway.Init") // set before each test
  LogOfNodesTest() {}

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
    for (Member member : cluster.members()) {
      var server = cluster.server(member);
      ServerRuntime runtime =
          new ServerRuntime(
              InstantSource.system(),
              timers,
              () -> UUID.randomUUID().toString(),
              new SecureRandom(),
              workers);
      ServerOperations made = ServerOperations.over(server.server(), server.stores(), runtime);
      RecentLines log = new RecentLines();
      server
          .server()
          .catalogue()
          .offer(
              new LogOperations(
                      log,
                      () -> {
                        throw new IllegalStateException("not needed");
                      },
                      made.others())
                  .offers());
      nodes.put(member.name(), made);
      logs.put(member.name(), log);
    }
    cluster.install(cluster.members());
    Eventually.await(
        "all are members",
        () -> nodes.values().stream().allMatch(each -> each.operations().nodes().size() == 3));
  }

  @AfterEach
  void stop() {
    workers.shutdownNow();
    cluster.close();
    timers.close();
  }

  private void log(String node, String text) {
    Objects.requireNonNull(logs.get(node))
        .add(InstantSource.system().instant(), Level.INFO, text.getBytes(StandardCharsets.UTF_8));
  }

  private Outcome<?> tail(Map<String, ?> given) {
    return Objects.requireNonNull(nodes.get("node0"))
        .operations()
        .run(Caller.owner("root"), "log.tail", given);
  }

  private void follow(String node) {
    if (!(tail(Map.of("node", node, "lines", 3)) instanceof Outcome.Following<?> following)) {
      throw new AssertionError("not followed");
    }
    workers.execute(() -> {
      try {
        following
            .feed()
            .follow(result -> {
              Line line = (Line) result;
              seen.add(line.node() + " " + line.text());
            });
      } catch (IOException | InterruptedException e) {
        Thread.currentThread().interrupt(); // the end of the test
      }
    });
  }

  private void awaitSeen(String... lines) {
    Eventually.await("lines are seen: " + seen, () -> seen.size() >= lines.length);
    assertThat(seen).containsExactly(lines);
  }

  @Test
  void theLogsOfAllNodesAreOne() {
    log("node1", "zero");
    log("node2", "one");
    log("node0", "two");
    log("node1", "three");
    follow("all");
    awaitSeen("node2 one", "node0 two", "node1 three");
    log("node2", "four");
    awaitSeen("node2 one", "node0 two", "node1 three", "node2 four");
    log("node0", "five");
    awaitSeen("node2 one", "node0 two", "node1 three", "node2 four", "node0 five");
    log("node1", "six");
    awaitSeen("node2 one", "node0 two", "node1 three", "node2 four", "node0 five", "node1 six");
  }

  @Test
  void theLogOfAnotherNodeIsFollowed() {
    log("node1", "one");
    log("node2", "not this");
    follow("node1");
    awaitSeen("node1 one");
    log("node0", "nor this");
    log("node1", "two");
    log("node1", "three");
    Eventually.await("the new lines", () -> seen.size() >= 3);
    assertThat(seen).containsExactly("node1 one", "node1 two", "node1 three");
  }

  @Test
  void aNodeThatIsSilentIsNamedOnceAndHoldsNothingUp() {
    cluster.mute(cluster.members().get(1));
    follow("all");
    log("node2", "one");
    Eventually.await("the others", () -> seen.contains("node2 one"));
    log("node0", "two");
    Eventually.await("what comes later", () -> seen.contains("node0 two"));
    assertThat(seen)
        .filteredOn(each -> each.startsWith("node1"))
        .singleElement()
        .asString()
        .endsWith("WARN  The node node1 has not answered within 5 seconds.");
  }

  @Test
  void onlyNodesOfTheClusterAreFollowed() {
    assertThat(tail(Map.of("node", "node9")))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.text()).contains("no node node9", "node0, node1, node2"));
  }
}
