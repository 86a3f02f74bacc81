package im.zonda.app.operation;

import im.zonda.app.journal.JournalOperations;
import im.zonda.app.support.SupportOperations;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.config.ServerConfig;
import im.zonda.host.HostCatalogue;
import im.zonda.host.XmppServer;
import im.zonda.json.JsonText;
import im.zonda.net.Listener;
import im.zonda.operation.AuditTrail;
import im.zonda.operation.Offer;
import im.zonda.operation.Operations;
import im.zonda.operation.cluster.NodeCalls;
import im.zonda.operation.cluster.RoundTrips;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.operation.execution.OtherNodes;
import im.zonda.operation.token.ApiTokens;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.AuditStore;
import im.zonda.store.Stores;
import im.zonda.timer.PeriodicTask;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the operations of a server, for administrators and for programs.
///
/// @param operations runs the operations
/// @param tokens the tokens of programs
/// @param trips how fast the other nodes of a cluster answer
/// @param others the other nodes
public record ServerOperations(
    Operations operations,
    ApiTokens tokens,
    RoundTrips trips,
    OtherNodes others,
    XmppServer server,
    Stores stores,
    ServerRuntime runtime) {
  private static final Logger LOG = LoggerFactory.getLogger(ServerOperations.class);

  /// Runs the operations of a server. Adds those on jobs, on tokens and on the audit to its
  /// catalogue.
  public static ServerOperations over(XmppServer server, Stores stores, ServerRuntime runtime) {
    HostCatalogue catalogue = server.catalogue();
    ApiTokens tokens = new ApiTokens(stores::keyValues, runtime.clock(), runtime.random());
    Jobs jobs = new Jobs(runtime.clock(), runtime.ids()::next, runtime.workers());
    catalogue.offer(JobOperations.of(jobs));
    catalogue.offer(TokenOperations.of(tokens, catalogue, runtime.clock()));
    catalogue.offer(AuditOperations.of(stores.audit()));
    catalogue.offer(JournalOperations.of(server.journal()::find));
    Nodes nodes = server.router().homes().nodes();
    NodeCalls calls = new NodeCalls(nodes, runtime);
    RoundTrips trips = new RoundTrips(nodes, runtime.clock(), System::nanoTime);
    server.receivePostsBy(calls);
    server.receivePostsBy(trips);
    if (!nodes.equals(Nodes.NONE)) {
      var _ = trips.start(runtime.scheduler());
    }
    OperationExecutor operations =
        new OperationExecutor(
            new OperationExecutor.Parts(
                catalogue,
                entry -> write(stores.audit(), entry),
                JsonText::of,
                runtime.clock(),
                runtime.workers(),
                jobs,
                calls));
    calls.answerBy(operations);
    catalogue.meters().add(List.of(operations.reading()));
    return new ServerOperations(operations, tokens, trips, calls, server, stores, runtime);
  }

  /// The operations for those who help with the server.
  ///
  /// @param data the data folder
  public List<Offer<?, ?>> support(Path data) {
    return new SupportOperations(operations, data, runtime.clock()).offers();
  }

  /// Where programs connect; empty if the API is off.
  public List<Listener> listeners(ServerConfig config) {
    return ApiListeners.of(config, server, operations, tokens, runtime);
  }

  /// Erases what is too old, from now on.
  ///
  /// @param config the configuration at present
  /// @param nodes the nodes of the cluster, one of which erases
  public PeriodicTask eraseOld(Supplier<ServerConfig> config, ClusterView nodes) {
    return new AuditRetention(stores.audit(), tokens, config, nodes::isHere, runtime.clock())
        .start(runtime);
  }

  /// The audit.
  public AuditTrail audit() {
    return entry -> write(stores.audit(), entry);
  }

  /// Writes to the log and the store: the log says what was done even if the store has failed.
  private static void write(AuditStore store, AuditTrail.Entry entry) {
    log(entry);
    long _ =
        store.append(
            new AuditStore.Event(
                entry.time(),
                entry.caller().name(),
                entry.caller().via().name().toLowerCase(Locale.ROOT),
                entry.caller().from(),
                entry.operation(),
                entry.host(),
                entry.subject(),
                entry.outcome(),
                entry.detail()));
  }

  private static void log(AuditTrail.Entry entry) {
    LOG.atInfo()
        .addKeyValue("caller", entry.caller().name())
        .addKeyValue("via", entry.caller().via())
        .addKeyValue("from", entry.caller().from())
        .addKeyValue("operation", entry.operation())
        .addKeyValue("host", entry.host())
        .addKeyValue("subject", entry.subject())
        .addKeyValue("outcome", entry.outcome())
        .log("administration");
  }
}
