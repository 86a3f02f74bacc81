package im.zonda.bench.target;

import im.zonda.bench.load.Plan;
import im.zonda.bench.result.Result;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server under load: one that is started for it, or one that runs.
public interface Target extends AutoCloseable {
  /// Makes what the plan needs, accounts above all, and starts the server if it is ours.
  ///
  /// @throws IOException if the server does not start, with the end of what it said
  void start(Plan plan) throws IOException;

  /// The addresses, at least one, in whose turn clients connect.
  List<Endpoint> endpoints();

  /// The addresses for another transport than that of the run, without encryption; empty if they
  /// are unknown.
  default List<Endpoint> endpoints(Endpoint.Transport transport) {
    return List.of();
  }

  /// The domain of its rooms (XEP-0045), its publish-subscribe service or its uploads.
  String service(String kind);

  /// The processes of the server, then of its edges and its database; empty if they are unknown.
  List<TargetProcess> processes();

  /// The log of garbage collections of the server; null if there is none.
  @Nullable Path gcLog();

  /// What the result says of the server.
  Result.Subject subject();

  /// Learns that a phase of the load begins, for what is to happen to the server meanwhile.
  ///
  /// @param nanos when it begins, by [System#nanoTime]
  default void phaseBegins(String name, long nanos) {}

  /// Learns that the measured phase has ended.
  ///
  /// @throws IOException if what was to be measured of the server is not known
  default void measureEnds() throws IOException {}

  /// Figures that the server itself has counted, over the whole load; to be asked for once, after
  /// the load. Empty if there are none.
  ///
  /// @throws IOException if the server does not answer
  default List<Result.Figure> figures() throws IOException {
    return List.of();
  }

  /// Stops what was started, and removes its files.
  @Override
  void close();

  /// A process of the target.
  ///
  /// @param name such as `server`, `node 2`, `edge 1`, `database`
  record TargetProcess(String name, long pid) {}
}
