package im.zonda.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.federation.ConnectionOperations;
import im.zonda.app.operation.JobOperations;
import im.zonda.app.operation.ServerOperations;
import im.zonda.app.status.CacheOperations;
import im.zonda.cluster.Member;
import im.zonda.operation.Caller;
import im.zonda.operation.Job;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.RealTimers;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One node of a cluster is asked about all of them.
@Timeout(60)
class OperationsOfNodesTest {
  private static final Caller OWNER = Caller.owner("root");

  /// Begins a job that does not end by itself.
  private static final Operation<Nothing, Nothing> WORK =
      Operation.change("probe.work", Right.SERVER)
          .ofNode()
          .at("POST /probe/work", "Work", Nothing.class, Nothing.class);

  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final RealTimers timers = new RealTimers();
  private final Map<String, ServerOperations> nodes = new LinkedHashMap<>();
  private TestCluster cluster;

  @SuppressWarnings("NullAway.Init") // set before each test
  OperationsOfNodesTest() {}

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
      server.server().catalogue().offer(CacheOperations.of(server.stores().caches()));
      server
          .server()
          .catalogue()
          .offer(
              ConnectionOperations.of(
                  server.server().router()::connectedComponents,
                  () -> new ConnectionOperations.Edges(1, 10)));
      server
          .server()
          .catalogue()
          .offer(
              List.of(
                  WORK.by((call, _) ->
                      call.start(
                          "Work",
                          _ -> {
                            new CountDownLatch(1).await();
                            return "";
                          }))));
      nodes.put(member.name(), made);
    }
    cluster.install(cluster.members());
    Eventually.await(
        "all are members",
        () -> nodes.values().stream().allMatch(each -> each.operations().nodes().size() == 3));
  }

  @AfterEach
  void stop() {
    cluster.close();
    timers.close();
    workers.shutdownNow();
  }

  private Outcome<?> ask(String operation, Map<String, Object> given) {
    return node("node0").operations().run(OWNER, operation, given);
  }

  private ServerOperations node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  private static List<String> nodesOf(CacheOperations.Listed listed) {
    return listed.caches().stream().map(each -> String.valueOf(each.node())).distinct().toList();
  }

  @Test
  void listsHaveTheEntriesOfAllNodes() {
    assertThat(node("node0").operations().nodes()).containsExactly("node0", "node1", "node2");
    Outcome<?> caches = ask("cache.list", Map.of("node", "all"));
    assertThat(nodesOf((CacheOperations.Listed) ((Outcome.Done<?>) caches).result()))
        .containsExactly("node0", "node1", "node2");
    Outcome<?> one = ask("cache.list", Map.of("node", "node2"));
    assertThat(nodesOf((CacheOperations.Listed) ((Outcome.Done<?>) one).result()))
        .containsExactly("node2");
    assertThat(ask("server.edges", Map.of("node", "all")))
        .isEqualTo(Outcome.done(new ConnectionOperations.Edges(3, 30)));
  }

  @Test
  void aNodeThatIsSilentIsNamedBesideTheRest() {
    cluster.mute(cluster.members().get(1));
    Outcome<?> caches = ask("cache.list", Map.of("node", "all"));
    assertThat(caches).isInstanceOf(Outcome.Partly.class);
    assertThat(((Outcome.Partly<?>) caches).failures())
        .containsExactly(
            new Outcome.Failure("node1", "The node node1 has not answered within 5 seconds."));
    assertThat(nodesOf((CacheOperations.Listed) ((Outcome.Partly<?>) caches).result()))
        .containsExactly("node0", "node2");
  }

  @Test
  void aNodeThatIsKilledIsNotAsked() {
    cluster.kill(cluster.members().get(1));
    Eventually.await("it is no member", () -> node("node0").operations().nodes().size() == 2);
    Outcome<?> caches = ask("cache.list", Map.of("node", "all"));
    assertThat(nodesOf((CacheOperations.Listed) ((Outcome.Done<?>) caches).result()))
        .containsExactly("node0", "node2");
    assertThat(ask("cache.list", Map.of("node", "node1")))
        .isEqualTo(Outcome.invalid("node", "There is no node node1; there is node0, node2."));
  }

  @Test
  void jobsOfOtherNodesAreFoundAndCancelled() {
    Outcome<?> started = ask("job.list", Map.of("node", "all")); // none yet
    assertThat(started).isEqualTo(Outcome.done(new JobOperations.Listed(List.of())));
    String named = ((Outcome.Started<?>) ask("probe.work", Map.of("node", "node2"))).job();
    assertThat(named).endsWith("@node2");
    String id = named.substring(0, named.indexOf('@'));
    List<Job> jobs =
        ((JobOperations.Listed) ((Outcome.Done<?>) ask("job.list", Map.of("node", "all"))).result())
            .jobs();
    assertThat(jobs).hasSize(1);
    assertThat(jobs.getFirst().node()).isEqualTo("node2");
    assertThat(ask("job.show", Map.of("job", id))).isInstanceOf(Outcome.Refused.class);
    assertThat(ask("job.show", Map.of("job", named))).isInstanceOf(Outcome.Done.class);
    assertThat(ask("job.cancel", Map.of("job", id, "node", "node2")))
        .isInstanceOf(Outcome.Done.class);
    Eventually.await(
        "the job is cancelled",
        () ->
            ((Job) ((Outcome.Done<?>) ask("job.show", Map.of("job", named))).result()).state()
                == Job.State.CANCELLED);
  }

  @Test
  void roundTripsAreMeasuredBetweenAllNodes() {
    Eventually.await(
        "each node has answered each",
        () ->
            nodes.values().stream()
                .allMatch(each ->
                    each.trips().trips().size() == 2
                        && each.trips().trips().values().stream()
                            .allMatch(trip -> trip.last() != null)));
    List<String> others = new ArrayList<>(node("node1").trips().trips().keySet());
    assertThat(others).containsExactly("node0", "node2");
  }
}
