package im.zonda.app.noloss.cluster;

import im.zonda.app.noloss.RunStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How long a run over a cluster lasts, and what happens in it.
///
/// @param nodes the number of nodes
/// @param edges the number of edges; 0 if clients connect to the nodes
/// @param faults at least that many faults
/// @param messages at least that many acknowledged messages
/// @param rate messages per second of all senders together; 0 if as many as they get acknowledged
/// @param seed what chance is made from
/// @param kinds the kinds of faults, each equally often
/// @param storage the database
/// @param outside whether some clients send to a component and to users of another server
/// @param isLong whether there are many clients, and quick starts are worth some seconds
/// @param previous the folder with the product of another version, with which all nodes and the
///   first edge begin; null if there is one build
record ClusterOptions(
    int nodes,
    int edges,
    int faults,
    long messages,
    int rate,
    long seed,
    List<ClusterFault> kinds,
    RunStorage storage,
    boolean outside,
    boolean isLong,
    @Nullable Path previous) {
  private static final int NODES = 3;

  /// A short run, whose kinds of faults come in this order.
  static ClusterOptions inOrder(long seed, ClusterFault... kinds) {
    return new ClusterOptions(
        NODES,
        0,
        kinds.length,
        0,
        0,
        seed,
        List.of(kinds),
        RunStorage.POSTGRESQL,
        false,
        false,
        null);
  }

  /// The options that were given on the command line as properties `zonda.no-loss.*`; null if they
  /// do not ask for a cluster.
  static @Nullable ClusterOptions given() {
    if (!"cluster".equals(System.getProperty("zonda.no-loss.layout"))) {
      return null;
    }
    String kinds = System.getProperty("zonda.no-loss.kinds", "");
    int edges = Math.toIntExact(number("edges", 0));
    String previous = System.getProperty("zonda.no-loss.previous", "");
    return new ClusterOptions(
        Math.toIntExact(number("nodes", NODES)),
        edges,
        Math.toIntExact(number("kills", 1)),
        number("messages", 0),
        Math.toIntExact(number("rate", 0)),
        number("seed", System.nanoTime() % 1_000_000),
        kinds.isEmpty() ? ClusterFault.all(edges, !previous.isEmpty()) : ClusterFault.parse(kinds),
        RunStorage.of(
            System.getProperty("zonda.no-loss.storage", "postgresql").toLowerCase(Locale.ROOT)),
        Boolean.getBoolean("zonda.no-loss.outside"),
        true,
        previous.isEmpty() ? null : Path.of(previous));
  }

  private static long number(String name, long otherwise) {
    String value = System.getProperty("zonda.no-loss." + name, "");
    return value.isEmpty() ? otherwise : Long.parseLong(value);
  }
}
