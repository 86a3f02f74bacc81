package im.zonda.app.cluster;

import im.zonda.cluster.Member;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The node of a cluster that a running server is.
///
/// @param drain of the node; null for a server that is none
/// @param differing the nodes with other settings than this one, and which these are
public record ClusterOperations(
    @Nullable Drain drain, Supplier<Map<Member, SortedSet<String>>> differing) {
  private static final long LOOK_MILLIS = 100;

  /// The cluster as this node sees it.
  public record Shown(
      @Field("the node: its name and incarnation") String node,
      @Field("the version of the placement in which it acts; none before the first")
          @Nullable String placement,
      @Field("whether members are lost and nothing is decided yet") boolean suspended,
      @Field("how far it is drained: none, homes, streams, drained or failed") String phase,
      @Field("what it does, in words") String activity,
      @Field("the members") List<Seen> members,
      @Field("the nodes whose configuration differs from this one") List<Differing> differing) {}

  /// A member as this node sees it.
  public record Seen(
      @Field("its name and incarnation") String node,
      @Field("segments whose homes run there") int home,
      @Field("segments for which it stands by") int standby,
      @Field("whether it gives its homes to others") boolean draining,
      @Field("whether this node sees it") boolean inSight) {}

  /// A node whose configuration differs.
  public record Differing(
      @Field("its name and incarnation") String node,
      @Field("the settings that differ") List<String> settings) {}

  /// Members.
  public record Members(@Field("the members") List<Seen> members) {}

  /// `cluster.status`.
  public static final Operation<Nothing, Shown> STATUS =
      Operation.read("cluster.status", Right.CLUSTER)
          .ofNode()
          .at("GET /cluster", "Say what this node of the cluster does", Nothing.class, Shown.class);

  /// `cluster.members`.
  public static final Operation<Nothing, Members> MEMBERS =
      Operation.read("cluster.members", Right.CLUSTER)
          .ofNode()
          .at("GET /cluster/members", "List the nodes", Nothing.class, Members.class);

  /// `cluster.drain`.
  public static final Operation<Nothing, Nothing> DRAIN =
      Operation.change("cluster.drain", Right.CLUSTER)
          .ofNode()
          .at(
              "POST /cluster/drain",
              "Empty this node, so that it can be stopped",
              Nothing.class,
              Nothing.class);

  /// `cluster.join`.
  public static final Operation<Nothing, Nothing> JOIN =
      Operation.change("cluster.join", Right.CLUSTER)
          .ofNode()
          .at(
              "POST /cluster/join",
              "Undo a drain: this node takes homes and clients again",
              Nothing.class,
              Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(STATUS, MEMBERS, DRAIN, JOIN);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        STATUS.by((_, _) -> inCluster(node -> Outcome.done(show(node)))),
        MEMBERS.by((_, _) -> inCluster(node -> Outcome.done(new Members(node.status().members())))),
        DRAIN.by((call, _) -> inCluster(node -> begin(node, call))),
        JOIN.by((_, _) -> inCluster(ClusterOperations::join)));
  }

  private <R extends Record> Outcome<R> inCluster(Function<Drain, Outcome<R>> action) {
    return drain == null
        ? Outcome.refused(
            Reason.NOT_APPLICABLE, "this server is no node of a cluster: cluster.name is not set")
        : action.apply(drain);
  }

  private Shown show(Drain node) {
    ClusterStatus status = node.status();
    return new Shown(
        status.node(),
        status.placement(),
        status.membership().suspended(),
        status.phase().name().toLowerCase(Locale.ROOT),
        status.progress(),
        status.members(),
        differing.get().entrySet().stream()
            .map(each -> new Differing(each.getKey().toString(), List.copyOf(each.getValue())))
            .toList());
  }

  private static Outcome<Nothing> begin(Drain node, Call call) {
    try {
      node.begin();
    } catch (IOException e) {
      return Outcome.conflict(String.valueOf(e.getMessage()));
    }
    return call.start(
        "Drain this node",
        progress -> {
          Drain.Phase phase = node.phase();
          long first = node.status().connections();
          while (phase != Drain.Phase.DRAINED) {
            if (phase == Drain.Phase.FAILED || phase == Drain.Phase.NONE) {
              throw new IOException("the node has not been drained");
            }
            long left = Math.min(first, node.status().connections());
            progress.at(first - left, first, "connections have ended");
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            phase = node.phase();
          }
          return "the node is drained";
        });
  }

  private static Outcome<Nothing> join(Drain node) {
    try {
      node.join();
      return Nothing.done();
    } catch (IOException e) {
      return Outcome.refused(Reason.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }
}
