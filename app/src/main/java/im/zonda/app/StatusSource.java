package im.zonda.app;

import im.zonda.app.cluster.Drain;
import im.zonda.app.cluster.MemberOperations;
import im.zonda.app.status.CommitRate;
import im.zonda.app.status.ServerStatus;
import im.zonda.app.status.Version;
import im.zonda.home.lifecycle.Sessions;
import im.zonda.host.VirtualHost;
import im.zonda.host.XmppServer;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.bosh.BoshSessions;
import im.zonda.net.tls.Certificates;
import im.zonda.storage.cache.CachedStores;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.log.StoreHealth;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Takes the status of the running server.
///
/// @param data the data folder
/// @param bosh null if it is off
/// @param drain null without a cluster
/// @param acme null without an authority
/// @param listeners where the server listens
record StatusSource(
    Path data,
    SqlStores database,
    CachedStores stores,
    XmppServer server,
    NetServer net,
    @Nullable BoshSessions bosh,
    CommitRate commits,
    @Nullable Drain drain,
    @Nullable AcmeCertificates acme,
    Certificates certificates,
    Supplier<List<Listener>> listeners)
    implements Supplier<ServerStatus> {
  @Override
  public ServerStatus get() {
    Instant started = started();
    StoreHealth health = database.health();
    return new ServerStatus(
        Version.current(),
        started,
        Duration.between(started, InstantSource.system().instant()).toSeconds(),
        sessions(),
        new ServerStatus.Homes(
            server.router().loadedAccounts(), server.router().loadedServiceHomes()),
        drain == null ? null : drain.status().brief(),
        hosts(),
        ports(),
        memory(),
        disk(),
        acme == null
            ? List.of()
            : acme.states().stream().map(ServerStatus.Certificate::of).toList(),
        ServerStatus.Log.of(health, commits.perSecond()),
        ServerStatus.Database.of(health),
        caches());
  }

  /// What is quickly known of this process.
  MemberOperations.Figures figures() {
    return new MemberOperations.Figures(sessions(), memory(), started());
  }

  private static Instant started() {
    return Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
  }

  private ServerStatus.Sessions sessions() {
    Sessions.Counts sessions = server.router().sessions().counts();
    long connections = net.stats().connectionsOpen() + (bosh == null ? 0 : bosh.open());
    return new ServerStatus.Sessions(connections, sessions.online(), sessions.detached());
  }

  /// The caches.
  List<ServerStatus.Cache> caches() {
    return stores.caches().statistics().stream().map(ServerStatus.Cache::of).toList();
  }

  /// The hosts with the users who are connected and the end of their certificates.
  private List<ServerStatus.Host> hosts() {
    List<ServerStatus.Host> hosts = new ArrayList<>();
    for (VirtualHost host : server.hosts()) {
      String domain = host.domain().domain();
      // Counted as sessions begin and end: many look at the status, and often.
      long users = host.dispatch().people().sum();
      hosts.add(new ServerStatus.Host(domain, (int) users, certificates.findEnd(domain)));
    }
    return hosts;
  }

  private static ServerStatus.Memory memory() {
    Runtime runtime = Runtime.getRuntime();
    return new ServerStatus.Memory(
        runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory());
  }

  private List<ServerStatus.Port> ports() {
    return listeners.get().stream()
        .map(each -> new ServerStatus.Port(each.kind().key(), each.toString()))
        .toList();
  }

  /// The disk of the data folder; null if it cannot be read.
  ServerStatus.@Nullable Disk disk() {
    try {
      FileStore store = Files.getFileStore(data);
      return new ServerStatus.Disk(store.getUsableSpace(), store.getTotalSpace());
    } catch (IOException e) {
      LoggerFactory.getLogger(StatusSource.class).atDebug().setCause(e).log("disk_not_read");
      return null;
    }
  }
}
