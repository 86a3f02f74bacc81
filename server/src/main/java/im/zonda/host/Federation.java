package im.zonda.host;

import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.federation.ServerLinks;
import im.zonda.home.remote.RemoteDomains;
import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.home.remote.RemoteSetup;
import im.zonda.home.router.StanzaRouter;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamLink;
import im.zonda.module.Scheduler;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.Stores;
import im.zonda.stream.ServedDomains;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.server.DialbackKeys;
import im.zonda.stream.server.ServerConnector;
import im.zonda.stream.server.ServerStreamPolicy;
import im.zonda.stream.server.ServerStreamSettings;
import im.zonda.stream.server.ServerStreams;
import im.zonda.timer.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The exchange of stanzas with other servers: the homes of pairs of domains, and what all streams
/// with other servers share.
public final class Federation {
  private static final Duration SWEEP = Duration.ofSeconds(5);

  /// How long a busy pair is waited for when the streams are listed.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ServerConnector connector;
  private final RemoteDomains domains;
  private final ServerStreams streams;
  private final ServerRuntime runtime;
  private volatile Scheduler.@Nullable Cancellable sweeping;
  private volatile S2s settings;

  /// What comes from outside of the server.
  ///
  /// @param connector connects to the servers of a domain
  /// @param keys dialback keys
  public record Parts(Stores stores, ServerConnector connector, DialbackKeys keys) {}

  /// The streams with other servers, as modules see them.
  ///
  /// @param federation null without it
  record Streams(Supplier<@Nullable Federation> federation) implements ServerLinks {
    @Override
    public List<Link> links() {
      Federation present = federation.get();
      return present == null ? List.of() : present.links();
    }

    @Override
    public @Nullable Waiting waiting(String local, String remote) {
      Federation present = federation.get();
      return present == null
          ? null
          : present.domains().links(PATIENCE).stream()
              .filter(
                  link -> link.pair().local().equals(local) && link.pair().remote().equals(remote))
              .map(Streams::waiting)
              .findFirst()
              .orElse(null);
    }

    private static Waiting waiting(RemoteLinkStatus link) {
      ServerStreamFailure failure = link.lastFailure();
      return new Waiting(
          link.waiting(),
          failure == null ? null : failure.detail(),
          link.retryAt() == 0 ? null : Instant.ofEpochMilli(link.retryAt()));
    }
  }

  Federation(
      ServerConfig config,
      Parts parts,
      StanzaRouter router,
      ServedDomains served,
      ServerRuntime runtime) {
    this.settings = config.s2s();
    this.runtime = runtime;
    this.connector = parts.connector();
    this.domains =
        new RemoteDomains(
            new RemoteSetup(
                () -> settings,
                router.routes(),
                parts.stores().messages(),
                parts.stores().clusterLog(),
                parts.stores().remoteQueues(),
                router.ackOnCommit(),
                runtime,
                config.limits().outboundBytes() / 2),
            this::connect,
            router.homes(),
            Runtime.getRuntime().maxMemory());
    this.streams =
        new ServerStreams(
            new ServerStreamSettings(
                config.limits(),
                config.s2s().limits(),
                config.limits().client(),
                parts.keys(),
                runtime),
            served,
            new Policy(),
            domains,
            connector);
    router.routes().setRemote(domains);
  }

  /// Sends what waits from before the start. To be called once, when connections to other servers
  /// are possible.
  public void started() {
    sweeping =
        PeriodicTask.start(
            runtime.scheduler(), Duration.ZERO, SWEEP, runtime.workers(), this::sweep);
  }

  private final class Policy implements ServerStreamPolicy {
    @Override
    public boolean isAllowed(DomainPair pair) {
      return settings.permits(pair.remote());
    }

    @Override
    public boolean requiresTls(DomainPair pair) {
      return true;
    }

    @Override
    public boolean allowsDialback(DomainPair pair) {
      return settings.trustOf(pair.remote()) == S2s.Trust.CERTIFICATE_OR_DIALBACK;
    }
  }

  private void connect(DomainPair pair) {
    connector.connect(
        pair.remote(), streams.outgoing(pair), failure -> domains.failed(pair, failure));
  }

  private void sweep() {
    streams.sweep();
    domains.sweep();
  }

  /// The profile of streams that other servers open.
  public StreamProfile incoming() {
    return streams.incoming();
  }

  /// The pairs of domains.
  public RemoteDomains domains() {
    return domains;
  }

  /// The streams of this process that carry stanzas.
  List<ServerLinks.Link> links() {
    List<ServerLinks.Link> links = new ArrayList<>();
    for (RemoteLinkStatus status : domains.links(PATIENCE)) {
      ServerStreamLink.Status stream = status.stream();
      if (stream != null && stream.connected()) {
        links.add(
            new ServerLinks.Link(status.pair().local(), status.pair().remote(), direction(stream)));
      }
    }
    return links;
  }

  private static ServerLinks.Direction direction(ServerStreamLink.Status stream) {
    if (stream.bidirectional()) {
      return ServerLinks.Direction.BIDI;
    }
    return stream.incoming() ? ServerLinks.Direction.INCOMING : ServerLinks.Direction.OUTGOING;
  }

  /// Takes over changed settings ([S2s#withReloadable]).
  void reload(S2s changed) {
    settings = changed;
    domains.enforcePermissions();
  }

  /// Accepts no more stanzas for other servers.
  void close() {
    Scheduler.Cancellable running = sweeping;
    if (running != null) {
      running.cancel();
    }
    domains.close();
  }
}
