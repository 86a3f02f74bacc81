package im.zonda.app;

import im.zonda.app.accounts.AccountSources;
import im.zonda.app.hosts.HostOperations;
import im.zonda.app.operation.ServerOperations;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.operation.run.StoppedServerRunner;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.users.ImportOperation;
import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.module.Scheduler;
import im.zonda.operation.Operations;
import im.zonda.runtime.ServerRuntime;
import im.zonda.storage.cache.CachedStores;
import im.zonda.storage.sql.SqlStores;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Runs operations while no server runs: on a server that is not on the network, over the stores of
/// the data folder. No timer of it ever fires, and what the last run has saved for the next one
/// stays: it is there for a moment, and does nothing but what it is asked for.
final class StoppedServer {
  private static final Scheduler NEVER = (_, _) -> () -> {};

  private StoppedServer() {}

  /// Opens the stores and what runs operations on them.
  ///
  /// @param files the files of single hosts
  /// @throws IOException if another process uses the data folder, or the stores cannot be opened
  static OperationRunner open(ServerConfig config, HostFiles files) throws IOException {
    RunningServer parts = new RunningServer();
    try {
      return new StoppedServerRunner(config.data(), operations(config, files, parts), parts);
    } catch (IOException | RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  private static Operations operations(ServerConfig config, HostFiles files, RunningServer parts)
      throws IOException {
    Wiring.takeFolder(config, parts);
    SqlStores database = ServerStores.open(config);
    parts.opened("stores", database);
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    parts.opened("workers", () -> Wiring.stop(workers));
    SecureRandom random = new SecureRandom();
    ServerRuntime runtime =
        new ServerRuntime(InstantSource.system(), NEVER, new RandomIds(random), random, workers);
    byte[] known = ServerSecret.find(config.data());
    CachedStores stores = CachedStores.over(database, config.limits(), runtime.clock());
    XmppServer server =
        new XmppServer(
            config,
            stores,
            XmppServer.Environment.betweenServers(runtime, new AccountSources(runtime.clock())),
            known == null ? ServerSecret.create(random) : known,
            StandardModules::create);
    parts.opened("server", server::close);
    Operations operations = ServerOperations.over(server, stores, runtime).operations();
    server.administerBy(operations);
    ImportOperation.offerAt(server, stores, runtime);
    server.catalogue().offer(HostOperations.ofStopped(config, files, stores));
    return operations;
  }
}
