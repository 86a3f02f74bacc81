package im.zonda.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.cluster.ClusterStatus;
import im.zonda.app.cluster.Drain;
import im.zonda.app.cluster.MemberOperations;
import im.zonda.app.federation.ConnectionOperations;
import im.zonda.app.operation.ServerOperations;
import im.zonda.app.status.CacheOperations;
import im.zonda.app.status.ServerStatus;
import im.zonda.app.status.StatusOperations;
import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.node.NodeStatus;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.cluster.RoundTrips;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The console of one node of a cluster shows all of them.
@Timeout(60)
class ConsoleInClusterTest {
  private static final int ONLINE = 7;
  private static final Caller OWNER = Caller.owner("root");
  private static final String CELL = "<td data-label=\"Node\">";

  /// Begins a job that does not end by itself.
  private static final Operation<Nothing, Nothing> WORK =
      Operation.change("probe.work", Right.SERVER)
          .ofNode()
          .at("POST /probe/work", "Work", Nothing.class, Nothing.class);

  @TempDir private Path folder;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final FakeClock others = new FakeClock();
  private TestCluster cluster;
  private RunningConsole console;
  private RunningConsole.Window window;

  @SuppressWarnings("NullAway.Init") // set before each test
  ConsoleInClusterTest() {}

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(
            ServerPlan.of(StandardModules::create).withHosts("example.org", "other.example"), 3);
    console = new RunningConsole(folder, false, cluster.server(cluster.members().getFirst()));
    for (Member member : cluster.members()) {
      TestServer server = cluster.server(member);
      if (!server.equals(console.server)) {
        var _ = ServerOperations.over(server.server(), server.stores(), runtime());
      }
      offer(member, server);
    }
    cluster.install(cluster.members());
    Operations operations = console.operations;
    Eventually.await("all are members", () -> operations.nodes().size() == 3);
    window = console.signedIn("root", Grant.ALL);
  }

  private ServerRuntime runtime() {
    return new ServerRuntime(
        others, others, () -> UUID.randomUUID().toString(), new SecureRandom(), workers);
  }

  private static void offer(Member member, TestServer server) {
    var catalogue = server.server().catalogue();
    catalogue.offer(CacheOperations.of(server.stores().caches()));
    catalogue.offer(
        ConnectionOperations.of(
            server.server().router()::connectedComponents,
            () -> new ConnectionOperations.Edges(1, 10)));
    catalogue.offer(StatusOperations.of(() -> status(member), _ -> {}, (_, _) -> () -> {}));
    catalogue.offer(
        new MemberOperations(
                () ->
                    new ClusterStatus(
                        new MembershipStatus(
                            member, null, null, new ClusterRow(1, List.of(), Map.of(), 0), false),
                        new NodeStatus(5, 0, 0, 0, 0, Map.of()),
                        Drain.Phase.NONE,
                        0,
                        1),
                new MemberOperations.Absent() {
                  @Override
                  public List<String> names() {
                    return List.of("node9");
                  }

                  @Override
                  public boolean forget(String name) {
                    return name.equals("node9");
                  }
                },
                () ->
                    new MemberOperations.Figures(
                        new ServerStatus.Sessions(0, ONLINE, 0),
                        new ServerStatus.Memory(1, 2),
                        Instant.EPOCH),
                () ->
                    new TreeMap<>(
                        Map.of(
                            member.name().equals("node0") ? "node1" : "node0",
                            new RoundTrips.Trip(
                                Duration.ofMillis(3),
                                Duration.ofMillis(2),
                                Duration.ofMillis(4),
                                Instant.EPOCH,
                                Duration.ZERO))),
                Map::of)
            .offers());
    catalogue.offer(
        List.of(
            WORK.by((call, _) ->
                call.start(
                    "Work of " + member.name(),
                    _ -> {
                      new CountDownLatch(1).await();
                      return "";
                    }))));
  }

  private static ServerStatus status(Member member) {
    return new ServerStatus(
        member.name().equals("node2") ? "2" : "1",
        Instant.EPOCH,
        1,
        new ServerStatus.Sessions(0, ONLINE, 0),
        new ServerStatus.Homes(0, 0),
        new ServerStatus.Cluster(member.toString(), "member", "1/1", 1, 3, 5, 0, 0, 0),
        List.of(new ServerStatus.Host("example.org", ONLINE, null)),
        List.of(),
        new ServerStatus.Memory(1, 2),
        null,
        List.of(),
        new ServerStatus.Log(0, 0, null, 0, 0),
        new ServerStatus.Database("x", "y", true, null, null, null),
        List.of());
  }

  @AfterEach
  void stop() {
    console.close();
    cluster.close();
    workers.shutdownNow();
  }

  /// A page, without its lines.
  private String page(String path) throws IOException {
    String page = window.get(path);
    assertThat(RunningConsole.status(page)).as(page).isEqualTo(200);
    return page;
  }

  @Test
  void listsShowTheEntriesOfAllNodesOrOfOne() throws IOException {
    for (String node : List.of("node0", "node1", "node2")) {
      var started = console.operations.run(OWNER, WORK.name(), Map.of("node", node));
      assertThat(started).isInstanceOf(Outcome.Started.class);
    }
    for (String path : List.of("/admin/jobs", "/admin/do/cache.list", "/admin/cluster")) {
      assertThat(page(path)).contains(CELL + "node0\n", CELL + "node1\n", CELL + "node2\n");
    }
    assertThat(page("/admin/jobs?node=node1"))
        .contains(CELL + "node1\n")
        .doesNotContain(CELL + "node0\n");
    assertThat(page("/admin/jobs?format=csv")).contains("\"node0\",", "\"node1\",", "\"node2\",");
    assertThat(page("/admin/do/server.edges")).contains("<dd>30\n");
  }

  @Test
  void jobsAreStartedAndSeenAtAnyNode() throws IOException {
    String form = page("/admin/do/probe.work");
    String answer =
        window.post(
            "/admin/do/probe.work", List.of("token", RunningConsole.token(form), "node", "node2"));
    assertThat(answer)
        .contains("303 ")
        .containsPattern("Location: /admin/do/job.show\\?job=[^\r]*%40node2");
    assertThat(page("/admin/jobs")).contains("Work of node2", "node=node2");
  }

  @Test
  void theOverviewAddsUpWhatTheNodesCount() throws IOException {
    assertThat(page("/admin/"))
        .contains("data-live=\"people\">21<", "data-live=\"sessions\">21<")
        .contains("The nodes run different versions: node0 1, node1 1, node2 2.")
        .contains("The node node9 is gone and has not left the cluster.");
  }

  @Test
  void theClusterHasTheTimesBetweenNodesAndWhoIsGone() throws IOException {
    assertThat(page("/admin/cluster"))
        .contains("2.0 ms (up to 4.0)", CELL + "node9\n", "gone, and has not left")
        .contains("/admin/do/cluster.forget?name=node9")
        .contains("/admin/do/server.restart?node=node1");
  }

  @Test
  void aNodeThatIsSilentIsNamed() throws Exception {
    cluster.mute(cluster.members().get(1));
    for (String path : List.of("/admin/jobs", "/admin/cluster", "/admin/")) {
      CompletableFuture<String> answered =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return page(path);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              },
              workers);
      Eventually.await(
          path + " is answered",
          () -> {
            console.clock.advance(Duration.ofSeconds(1));
            return answered.isDone();
          });
      assertThat(answered.join())
          .contains("node1")
          .containsPattern("has not answered|does not answer")
          .contains("node2");
    }
  }

  @Test
  void thoseOfHostsSeeNoNodes() throws IOException {
    window =
        console.signedIn(
            "admin@example.org", new Grant(Role.HOST_ADMIN, Set.of("example.org"), null));
    for (String path : List.of("/admin/jobs", "/admin/cluster", "/admin/do/cache.list")) {
      assertThat(RunningConsole.status(window.get(path + "?node=all"))).isEqualTo(403);
    }
  }
}
