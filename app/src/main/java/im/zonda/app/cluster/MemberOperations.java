package im.zonda.app.cluster;

import im.zonda.app.status.ServerStatus;
import im.zonda.app.status.Version;
import im.zonda.cluster.Member;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.cluster.RoundTrips;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Operations on all nodes of a cluster: what each does and has, and how fast they answer.
///
/// @param node this node; null for a server that is none
/// @param absent nodes that are gone
/// @param status what this process does
/// @param trips how fast other nodes answer
/// @param differing the nodes with other settings than this one, and which these are
public record MemberOperations(
    Supplier<@Nullable ClusterStatus> node,
    Absent absent,
    Supplier<Figures> status,
    Supplier<SortedMap<String, RoundTrips.Trip>> trips,
    Supplier<Map<Member, ? extends Set<String>>> differing) {
  private static final double NANOS_PER_MILLI = 1e6;

  /// Nodes that are gone and have not left.
  public interface Absent {
    /// Their names. Blocks.
    List<String> names();

    /// Expects one of them no longer; false if it is none of them. Blocks.
    boolean forget(String name);

    /// Those of a node; none without a cluster.
    static Absent of(@Nullable Drain drain) {
      return new Absent() {
        @Override
        public List<String> names() {
          return drain == null ? List.of() : drain.node().missing();
        }

        @Override
        public boolean forget(String name) {
          return drain != null && drain.node().forget(name);
        }
      };
    }
  }

  /// The figures of a process that are quickly known.
  public record Figures(
      ServerStatus.Sessions sessions, ServerStatus.Memory memory, Instant started) {}

  /// A node as it sees itself.
  public record Seen(
      @Field(Field.NODE) @Nullable String node,
      @Field("member, draining, drained, or waiting while nothing is decided") String state,
      @Field("how far it is drained") Drain.Phase drain,
      @Field("the version of Zonda") String version,
      @Field("when it was started") Instant started,
      @Field("segments of homes that it has") int segments,
      @Field("segments on their way to or from it") int moving,
      @Field("stanzas that homes on other nodes have not handled") int forwarded,
      @Field("values that other nodes have not confirmed") long unconfirmed,
      @Field("open connections") long connections,
      @Field("sessions with a stream") int online,
      @Field("sessions whose stream is lost and that can be resumed") int detached,
      @Field(value = "the heap that is taken", form = Form.BYTES) long heapUsed,
      @Field(value = "the most of that", form = Form.BYTES) long heapMax,
      @Field("the settings in which other nodes differ from it") List<String> differing) {}

  /// Nodes.
  public record Listed(@Field("the nodes") List<Seen> nodes) {}

  /// How fast one node answers another.
  public record Pair(
      @Field("the node that asks") @Nullable String node,
      @Field("the node that answers") String to,
      @Field("how long the last answer took, in milliseconds") @Nullable Double last,
      @Field("the median of the last five minutes") @Nullable Double median,
      @Field("the longest of the last five minutes") @Nullable Double longest,
      @Field("when the last answer came") @Nullable Instant answered,
      @Field("how long an answer has been awaited, in milliseconds") double waiting) {}

  /// Pairs.
  public record Pairs(@Field("the pairs of nodes") List<Pair> pairs) {}

  /// A node that is not there.
  public record Name(@Field("the name of the node") String name) {}

  /// Nodes that are not there.
  public record Names(@Field("the nodes") List<Name> nodes) {}

  /// `cluster.nodes`.
  public static final Operation<Nothing, Listed> NODES =
      Operation.read("cluster.nodes", Right.CLUSTER)
          .ofNodes()
          .at(
              "GET /cluster/nodes",
              "Say what a node of the cluster does and has",
              Nothing.class,
              Listed.class);

  /// `cluster.latency`.
  public static final Operation<Nothing, Pairs> LATENCY =
      Operation.read("cluster.latency", Right.CLUSTER)
          .ofNodes()
          .at(
              "GET /cluster/latency",
              "Say how fast other nodes answer a node",
              Nothing.class,
              Pairs.class);

  /// `cluster.missing`.
  public static final Operation<Nothing, Names> MISSING =
      Operation.read("cluster.missing", Right.CLUSTER)
          .at(
              "GET /cluster/missing",
              "List the nodes that are gone and have not left",
              Nothing.class,
              Names.class);

  /// `cluster.forget`.
  public static final Operation<Name, Nothing> FORGET =
      Operation.change("cluster.forget", Right.CLUSTER)
          .at(
              "POST /cluster/missing/{name}/forget",
              "Expect a node that is gone no longer",
              Name.class,
              Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(NODES, LATENCY, MISSING, FORGET);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        NODES.by((_, _) -> inCluster(now -> new Listed(List.of(seen(now))))),
        LATENCY.by((_, _) -> inCluster(_ -> new Pairs(pairs()))),
        MISSING.by(
            (_, _) -> inCluster(_ -> new Names(absent.names().stream().map(Name::new).toList()))),
        FORGET.by((_, given) ->
            absent.forget(given.name())
                ? Nothing.done()
                : Outcome.notFound("No node " + given.name() + " is missing.")));
  }

  private <R extends Record> Outcome<R> inCluster(Function<ClusterStatus, R> result) {
    ClusterStatus now = node.get();
    return now == null ? none() : Outcome.done(result.apply(now));
  }

  private static <R extends Record> Outcome<R> none() {
    return Outcome.refused(
        Reason.NOT_APPLICABLE, "This server is no node of a cluster: cluster.name is not set.");
  }

  private Seen seen(ClusterStatus now) {
    ServerStatus.Cluster cluster = now.brief();
    Figures figures = status.get();
    NavigableSet<String> settings = new TreeSet<>();
    differing.get().values().forEach(settings::addAll);
    return new Seen(
        null,
        cluster.state(),
        now.phase(),
        Version.current(),
        figures.started(),
        cluster.segments(),
        cluster.movingSegments(),
        cluster.forwardedStanzas(),
        cluster.unconfirmedValues(),
        figures.sessions().connections(),
        figures.sessions().online(),
        figures.sessions().detached(),
        figures.memory().heapUsedBytes(),
        figures.memory().heapMaxBytes(),
        List.copyOf(settings));
  }

  private List<Pair> pairs() {
    return trips.get().entrySet().stream()
        .map(each -> pair(each.getKey(), each.getValue()))
        .toList();
  }

  private static Pair pair(String to, RoundTrips.Trip trip) {
    return new Pair(
        null,
        to,
        millis(trip.last()),
        millis(trip.median()),
        millis(trip.longest()),
        trip.answered(),
        trip.waiting().toNanos() / NANOS_PER_MILLI);
  }

  private static @Nullable Double millis(@Nullable Duration time) {
    return time == null ? null : (Double) (time.toNanos() / NANOS_PER_MILLI);
  }
}
