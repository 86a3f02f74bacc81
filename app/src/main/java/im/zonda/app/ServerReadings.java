package im.zonda.app;

import im.zonda.app.accounts.ProviderReadings;
import im.zonda.app.cluster.Drain;
import im.zonda.app.metric.ServerMeters;
import im.zonda.app.status.ServerStatus;
import im.zonda.app.status.Version;
import im.zonda.cluster.membership.FrameTraffic;
import im.zonda.home.lifecycle.Sessions;
import im.zonda.host.Federation;
import im.zonda.host.VirtualHost;
import im.zonda.host.XmppServer;
import im.zonda.metric.Meter;
import im.zonda.metric.Meters;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import im.zonda.metric.TimingCounts;
import im.zonda.net.NetServer;
import im.zonda.net.NetStats;
import im.zonda.net.bosh.BoshSessions;
import im.zonda.net.edge.CoreEdges;
import im.zonda.net.loop.LoopFigures;
import im.zonda.net.tls.Certificates;
import im.zonda.route.Pauses;
import im.zonda.route.RouterStats;
import im.zonda.stanza.Namespaces;
import im.zonda.storage.cache.CacheRegistry;
import im.zonda.storage.cache.CacheStatistics;
import im.zonda.storage.sql.SqlStores;
import im.zonda.stream.sasl.LoginMeters;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Where the meters of the server come from. What is read here is counted by the parts of the
/// server anyway, and reading takes no longer when there are more sessions.
///
/// @param bosh null if it is off
/// @param edges null if it accepts none
/// @param drain null without a cluster
/// @param disk the disk of the data folder; null if it cannot be read
record ServerReadings(
    XmppServer server,
    NetServer net,
    @Nullable BoshSessions bosh,
    @Nullable CoreEdges edges,
    @Nullable Drain drain,
    SqlStores database,
    CacheRegistry caches,
    Certificates certificates,
    Supplier<ServerStatus.@Nullable Disk> disk) {
  private static final double NANOS = 1e9;

  /// The readings.
  List<Reading> all() {
    List<Reading> all = new ArrayList<>();
    all.add(
        ServerMeters.BUILD.byEach(
            () -> List.of(Sample.of(1, Version.current(), Runtime.version().toString()))));
    all.addAll(people());
    all.addAll(stanzas());
    all.addAll(network());
    all.addAll(storage());
    all.addAll(others());
    all.addAll(ProviderReadings.of(server.providers()));
    if (drain != null) {
      all.addAll(cluster(drain));
    }
    return all;
  }

  private List<Reading> people() {
    Sessions sessions = server.router().sessions();
    RouterStats stats = server.router().stats();
    LoginMeters logins = server.streams().sasl().meters();
    return List.of(
        ServerMeters.ONLINE.byEach(
            () -> ofHosts(host -> Sample.of(people(List.of(host)), name(host)), true)),
        ServerMeters.SESSIONS.byEach(() -> {
          Sessions.Counts counts = sessions.counts();
          return List.of(
              Sample.of(counts.online(), "online"), Sample.of(counts.detached(), "detached"));
        }),
        ServerMeters.SESSION_CHANGES.byEach(() ->
            List.of(
                Sample.of(stats.detached.sum(), "detached"),
                Sample.of(stats.resumed.sum(), "resumed"),
                Sample.of(stats.expired.sum(), "expired"))),
        ServerMeters.UNACKNOWLEDGED.by(sessions::unacknowledgedBytes),
        ServerMeters.LOGINS.byEach(() ->
            List.of(
                Sample.of(logins.succeeded().count(), "succeeded"),
                Sample.of(logins.failed().count(), "failed"))),
        ServerMeters.LOGIN.by(logins.time()));
  }

  private static long people(List<VirtualHost> hosts) {
    return hosts.stream().mapToLong(host -> host.dispatch().people().sum()).sum();
  }

  private static String name(VirtualHost host) {
    return host.domain().domain();
  }

  /// The sample of each host; of many hosts their sum, or nothing where a sum means nothing.
  private List<Sample> ofHosts(Function<VirtualHost, @Nullable Sample> sample, boolean sums) {
    List<VirtualHost> hosts = server.hosts();
    if (hosts.size() > Meters.MOST_HOSTS) {
      return sums ? List.of(Sample.of(people(hosts), Meters.ALL_HOSTS)) : List.of();
    }
    List<Sample> samples = new ArrayList<>();
    for (VirtualHost host : hosts) {
      Sample each = sample.apply(host);
      if (each != null) {
        samples.add(each);
      }
    }
    return samples;
  }

  private List<Reading> stanzas() {
    RouterStats stats = server.router().stats();
    return List.of(
        ServerMeters.STANZAS.byEach(() ->
            List.of(
                Sample.of(stats.messages.sum(), "message"),
                Sample.of(stats.presence.sum(), "presence"),
                Sample.of(stats.iqs.sum(), "iq"))),
        ServerMeters.MESSAGES.byEach(() ->
            List.of(
                Sample.of(stats.delivered.sum(), "delivered"),
                Sample.of(stats.stored.sum(), "stored"),
                Sample.of(stats.unlogged.sum(), "unlogged"))),
        ServerMeters.REJECTED.by(() -> stats.snapshot().refused()),
        ServerMeters.FAILED.by(stats.failed::sum),
        ServerMeters.MESSAGE.byEach(() -> stages(stats)),
        ServerMeters.MAILBOX_WAIT.by(stats.mailboxWait),
        ServerMeters.MAILBOX_TASKS.by(() -> server.router().homes().load().waiting().sum()),
        ServerMeters.PAUSES.byEach(this::pauses),
        ServerMeters.TRACE_STEPS.byEach(() ->
            List.of(
                Sample.of(server.traces().noted(), "noted"),
                Sample.of(server.traces().dropped(), "dropped"))),
        ServerMeters.HOMES.byEach(() ->
            List.of(
                Sample.of(server.router().loadedAccounts(), "account"),
                Sample.of(server.router().loadedServiceHomes(), "service"))));
  }

  private List<Sample> stages(RouterStats stats) {
    List<Sample> stages = new ArrayList<>();
    TimingCounts inside = net.written(Namespaces.CLIENT);
    if (bosh != null) {
      inside = inside.plus(bosh.inside());
    }
    if (edges != null) {
      inside = inside.plus(edges.times().toEdges().counts());
      stages.add(Sample.of(edges.times().atEdges().counts(), "edge"));
    }
    stages.add(Sample.of(inside, "inside"));
    stages.add(Sample.of(net.written(Namespaces.COMPONENT), "component"));
    stages.add(Sample.of(net.written(Namespaces.SERVER), "server"));
    if (drain != null) {
      stages.add(Sample.of(drain.hops(), "node"));
    }
    stages.add(Sample.of(stats.acknowledged.counts(), "acknowledged"));
    return stages;
  }

  private List<Sample> pauses() {
    Pauses pauses = server.router().routes().errors().pauses();
    List<Sample> samples = new ArrayList<>();
    samples.add(Sample.of(server.router().homes().load().pauses().sum(), "home"));
    for (Pauses.Cause each : Pauses.Cause.values()) {
      samples.add(Sample.of(pauses.of(each).sum(), each.name().toLowerCase(Locale.ROOT)));
    }
    return samples;
  }

  private List<Reading> network() {
    return List.of(
        network(ServerMeters.CONNECTIONS, NetStats::connectionsOpen),
        ServerMeters.CONNECTIONS_TOTAL.byEach(() -> {
          NetStats stats = net.stats();
          return List.of(
              Sample.of(stats.connectionsAccepted(), "accepted"),
              Sample.of(stats.connectionsRefused(), "refused"));
        }),
        ServerMeters.BOSH.byEach(() -> bosh == null ? List.of() : List.of(Sample.of(bosh.open()))),
        ServerMeters.NETWORK_BYTES.byEach(() -> {
          NetStats stats = net.stats();
          return List.of(Sample.of(stats.bytesIn(), "in"), Sample.of(stats.bytesOut(), "out"));
        }),
        ServerMeters.NETWORK_STANZAS.byEach(() -> {
          NetStats stats = net.stats();
          return List.of(Sample.of(stats.stanzasIn(), "in"), Sample.of(stats.stanzasOut(), "out"));
        }),
        network(ServerMeters.FLUSHES, NetStats::flushes),
        network(ServerMeters.OVERFLOWS, NetStats::overflows),
        network(ServerMeters.WAITING, NetStats::bytesWaiting),
        loops(ServerMeters.LOOP_CONNECTIONS, LoopFigures::connections),
        loops(ServerMeters.LOOP_EVENTS, LoopFigures::events),
        loops(ServerMeters.LOOP_BUSY, each -> each.busy().toNanos() / NANOS),
        loops(ServerMeters.LOOP_TASKS, LoopFigures::tasks),
        loops(ServerMeters.LOOP_LONGEST, each -> each.longest().toNanos() / NANOS));
  }

  private Reading loops(Meter meter, ToDoubleFunction<LoopFigures> what) {
    return meter.byEach(() ->
        net.loops().stream()
            .map(each -> Sample.of(what.applyAsDouble(each), Integer.toString(each.loop())))
            .toList());
  }

  private Reading network(Meter meter, ToLongFunction<NetStats> what) {
    return meter.by(() -> what.applyAsLong(net.stats()));
  }

  private List<Reading> storage() {
    return List.of(
        ServerMeters.COMMIT.byEach(() -> List.of(Sample.of(database.commitTimes()))),
        ServerMeters.LOG_QUEUE.by(() -> database.health().queuedBytes()),
        ServerMeters.LOG_ENTRIES.by(() -> database.health().counters().entries()),
        ServerMeters.LOG_FAILURES.by(() -> database.health().counters().failures()),
        ServerMeters.STORE_OK.by(() -> database.health().ok() ? 1 : 0),
        caches(ServerMeters.CACHE_HITS, CacheStatistics::hits),
        ServerMeters.CACHE_LOAD.byEach(() ->
            caches.statistics().stream()
                .<Sample>map(each ->
                    new Sample.Sum(
                        List.of(each.name()), each.misses(), each.loadTime().toNanos() / NANOS))
                .toList()),
        caches(ServerMeters.CACHE_EVICTIONS, CacheStatistics::evictions),
        caches(ServerMeters.CACHE_BYTES, CacheStatistics::bytes),
        caches(ServerMeters.CACHE_BOUND, CacheStatistics::bound),
        disk(ServerMeters.DISK_FREE, ServerStatus.Disk::freeBytes),
        disk(ServerMeters.DISK, ServerStatus.Disk::bytes));
  }

  private Reading caches(Meter meter, ToDoubleFunction<CacheStatistics> what) {
    return meter.byEach(() ->
        caches.statistics().stream()
            .map(each -> Sample.of(what.applyAsDouble(each), each.name()))
            .toList());
  }

  private Reading disk(Meter meter, ToDoubleFunction<ServerStatus.Disk> what) {
    return meter.byEach(() -> {
      ServerStatus.Disk read = disk.get();
      return read == null ? List.of() : List.of(Sample.of(what.applyAsDouble(read)));
    });
  }

  private List<Reading> others() {
    return List.of(
        federation(ServerMeters.S2S_LINKS, each -> each.domains().size()),
        federation(ServerMeters.S2S_QUEUE, each -> each.domains().queuedBytes()),
        ServerMeters.COMPONENTS.by(() -> server.router().connectedComponents().size()),
        ServerMeters.EDGES.byEach(
            () -> edges == null ? List.of() : List.of(Sample.of(edges.count()))),
        ServerMeters.EDGE_STREAMS.byEach(
            () -> edges == null ? List.of() : List.of(Sample.of(edges.streams()))),
        ServerMeters.CERTIFICATES.byEach(() ->
            ofHosts(
                host -> {
                  Instant end = certificates.findEnd(name(host));
                  return end == null ? null : Sample.of(end.getEpochSecond(), name(host));
                },
                false)));
  }

  private Reading federation(Meter meter, ToDoubleFunction<Federation> what) {
    return meter.byEach(() -> {
      Federation running = server.federation();
      return running == null ? List.of() : List.of(Sample.of(what.applyAsDouble(running)));
    });
  }

  private static List<Reading> cluster(Drain node) {
    return List.of(
        ofNode(ServerMeters.MEMBERS, node, ServerStatus.Cluster::members),
        ofNode(ServerMeters.SEGMENTS, node, ServerStatus.Cluster::segments),
        ofNode(ServerMeters.FORWARDED, node, ServerStatus.Cluster::forwardedStanzas),
        ofNode(ServerMeters.UNCONFIRMED, node, ServerStatus.Cluster::unconfirmedValues),
        ServerMeters.NODE_FRAMES.byEach(() -> {
          FrameTraffic.Counts counts = node.traffic();
          return List.of(Sample.of(counts.framesIn(), "in"), Sample.of(counts.framesOut(), "out"));
        }),
        ServerMeters.NODE_BYTES.byEach(() -> {
          FrameTraffic.Counts counts = node.traffic();
          return List.of(Sample.of(counts.bytesIn(), "in"), Sample.of(counts.bytesOut(), "out"));
        }));
  }

  /// A value of the node; none while the node is too busy to answer, such as while it is cut off.
  private static Reading ofNode(
      Meter meter, Drain node, ToDoubleFunction<ServerStatus.Cluster> what) {
    return meter.byEach(() -> {
      try {
        return List.of(Sample.of(what.applyAsDouble(node.status().brief())));
      } catch (UncheckedIOException e) {
        return List.of();
      }
    });
  }
}
