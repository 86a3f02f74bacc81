package im.zonda.app.noloss.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What happens to the nodes of a run.
enum ClusterFault {
  /// A node is killed and started again.
  KILL(true),
  /// A node is killed and another one soon after it; both are started again.
  TWO(true),
  /// A node stands still (SIGSTOP) until it is evicted.
  STOP(true),
  /// A node stands still for so short that the others wait for it.
  PAUSE(false),
  /// A node is cut off from the other nodes until a part of the cluster evicts the rest.
  PARTITION(true),
  /// A node receives nothing from the others, or they receive nothing from it.
  ONEWAY(true),
  /// A node is cut off for so short that the others wait for it.
  BLIP(false),
  /// A node is stopped in the proper way and started again.
  RESTART(false),
  /// A node is stopped in the proper way and started with the other build.
  BUILD(false),
  /// A node is drained and joins again.
  DRAIN(false),
  /// The database is stopped and started again.
  DATABASE(false),
  /// One of the edges is killed and started again; its clients resume their sessions at another.
  EDGE(false);

  private final boolean crash;

  ClusterFault(boolean crash) {
    this.crash = crash;
  }

  /// Whether a node loses what only it knows: what [ClusterPromise] allows after a crash is
  /// allowed.
  boolean isCrash() {
    return crash;
  }

  /// Whether nodes are cut off from each other until some are evicted.
  boolean isCut() {
    return this == PARTITION || this == ONEWAY;
  }

  /// Whether a living node is evicted.
  boolean evicts() {
    return isCut() || this == STOP;
  }

  /// All kinds that a run with `edges` edges can have.
  ///
  /// @param twoBuilds whether it has two builds
  static List<ClusterFault> all(int edges, boolean twoBuilds) {
    return Arrays.stream(values())
        .filter(each -> each != EDGE || edges > 0)
        .filter(each -> each != BUILD || twoBuilds)
        .toList();
  }

  /// The kinds in a list of names, separated by commas.
  static List<ClusterFault> parse(String names) {
    return Arrays.stream(names.split(",", -1))
        .map(name -> valueOf(name.strip().toUpperCase(Locale.ROOT)))
        .toList();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
