package im.zonda.app;

import im.zonda.app.accounts.ProviderOperations;
import im.zonda.app.alarm.AlarmOperations;
import im.zonda.app.alarm.AlarmSources;
import im.zonda.app.alarm.AlarmWatch;
import im.zonda.app.alarm.ClusterFacts;
import im.zonda.app.backup.BackupOperations;
import im.zonda.app.certificates.AcmeOperations;
import im.zonda.app.certificates.CertificateOperations;
import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.cluster.Drain;
import im.zonda.app.cluster.MemberOperations;
import im.zonda.app.compliance.ComplianceOperations;
import im.zonda.app.doctor.DnsOperations;
import im.zonda.app.doctor.DnsOutcomes;
import im.zonda.app.doctor.DoctorOperations;
import im.zonda.app.federation.ConnectionOperations;
import im.zonda.app.federation.LinkOperations;
import im.zonda.app.hosts.ConfigChangeOperations;
import im.zonda.app.hosts.ConfigOperations;
import im.zonda.app.hosts.ConfigReload;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.hosts.HostOperations;
import im.zonda.app.log.LogOperations;
import im.zonda.app.log.LogSetup;
import im.zonda.app.metric.Measurement;
import im.zonda.app.reach.ReachOperations;
import im.zonda.app.recording.RecordingOperations;
import im.zonda.app.size.SizeOperations;
import im.zonda.app.status.CacheOperations;
import im.zonda.app.status.QueueOperations;
import im.zonda.app.status.ServerControl;
import im.zonda.app.status.StatusOperations;
import im.zonda.app.trace.otlp.OtlpExport;
import im.zonda.module.Scheduler;
import im.zonda.net.edge.CoreEdges;
import im.zonda.operation.Offer;
import im.zonda.operation.cluster.RoundTrips;
import im.zonda.operation.execution.OtherNodes;
import im.zonda.runtime.ServerRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of the running server as a whole.
///
/// @param status what it knows of itself
/// @param edges null if it accepts none
/// @param reload its configuration
/// @param source where that is read
/// @param process stops it
record ServerOffers(
    StatusSource status,
    @Nullable CoreEdges edges,
    ConfigReload reload,
    ConfigSource source,
    ServerControl process,
    ServerRuntime runtime) {
  /// Begins to measure what the server does.
  ///
  /// @param trips how fast other nodes answer
  Measurement measure(RoundTrips trips) {
    ServerReadings readings =
        new ServerReadings(
            status.server(),
            status.net(),
            status.bosh(),
            edges,
            status.drain(),
            status.database(),
            status.stores().caches(),
            status.certificates(),
            status::disk);
    String node = reload.running().cluster().node();
    String name = node == null ? "" : node;
    AlarmWatch alarms =
        new AlarmWatch(
            () -> reload.running().alarms(),
            status.stores().keyValues(AlarmWatch.STORE),
            name,
            runtime.clock(),
            runtime.workers(),
            alarmSources(trips));
    status.server().catalogue().offer(AlarmOperations.of(alarms));
    return Measurement.start(
        status.server().catalogue().meters(),
        readings.all(),
        status.stores().history(),
        name,
        alarms::check,
        runtime);
  }

  /// Exports traces if that is configured.
  ///
  /// @return ends that
  AutoCloseable exportTraces() {
    return OtlpExport.start(reload.running(), status.server(), runtime);
  }

  /// Measures now and then how much each host has.
  Scheduler.Cancellable measureSizes() {
    return SizeOperations.offerAt(status.server(), status.stores(), runtime);
  }

  private AlarmSources alarmSources(RoundTrips trips) {
    Drain drain = status.drain();
    return new AlarmSources(
        () -> Duration.ofNanos(System.nanoTime()),
        () -> status.database().clockDifference(runtime.clock()),
        () -> drain == null ? null : ClusterFacts.of(drain, trips.trips()));
  }

  /// Those on all nodes of a cluster.
  ///
  /// @param trips how fast other nodes answer
  List<Offer<?, ?>> nodes(RoundTrips trips) {
    Drain drain = status.drain();
    return new MemberOperations(
            () -> drain == null ? null : drain.status(),
            MemberOperations.Absent.of(drain),
            status::figures,
            trips::trips,
            status.server()::differingNodes)
        .offers();
  }

  /// All others.
  ///
  /// @param others the other nodes
  List<Offer<?, ?>> all(OtherNodes others) {
    List<Offer<?, ?>> offers = new ArrayList<>();
    offers.addAll(StatusOperations.of(status, process, runtime.scheduler()));
    offers.addAll(CacheOperations.of(status.stores().caches()));
    offers.addAll(new QueueOperations(status.server(), status.net(), status.database()).offers());
    offers.addAll(
        new LinkOperations(
                status.server()::federation,
                () -> reload.running().hosts(),
                () -> Wiring.openCheck(reload.running(), true))
            .offers());
    offers.addAll(ProviderOperations.of(status.server().providers()));
    offers.addAll(new ConfigOperations(reload, source).offers());
    offers.addAll(
        new ConfigChangeOperations(
                reload,
                source,
                () -> status.listeners().get().stream().map(Object::toString).toList(),
                runtime.clock())
            .offers());
    DnsOutcomes checks = new DnsOutcomes(status.stores().keyValues(DnsOutcomes.STORE));
    offers.addAll(
        new HostOperations(
                reload,
                status.stores(),
                new KnownHosts(status.certificates(), checks),
                runtime.clock())
            .offers());
    offers.addAll(new ClusterOperations(status.drain(), status.server()::differingNodes).offers());
    offers.addAll(
        new ComplianceOperations(
                status.server()::hosts, StandardModules.optional(), reload::running)
            .offers());
    offers.addAll(
        ConnectionOperations.of(
            status.server().router()::connectedComponents,
            () ->
                edges == null
                    ? new ConnectionOperations.Edges(0, 0)
                    : new ConnectionOperations.Edges(edges.count(), edges.streams())));
    offers.addAll(
        new CertificateOperations(status.certificates(), () -> reload.running().hosts()).offers());
    offers.addAll(new AcmeOperations(reload::running, status.acme(), runtime.clock()).offers());
    offers.addAll(new BackupOperations(reload::running, source, runtime.clock()).offers());
    offers.addAll(
        new DoctorOperations(
                reload::running, status.listeners(), status.database()::health, runtime.clock())
            .offers());
    offers.addAll(
        new RecordingOperations(
                status.data(), () -> status.net().stats().stanzasIn(), runtime.clock())
            .offers());
    offers.addAll(
        new DnsOperations(reload::running, status.listeners(), runtime.clock(), checks).offers());
    offers.addAll(new ReachOperations(reload::running, runtime.clock()).offers());
    offers.addAll(new LogOperations(LogSetup.recent(), reload::running, others).offers());
    return offers;
  }
}
