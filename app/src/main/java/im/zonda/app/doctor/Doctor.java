package im.zonda.app.doctor;

import im.zonda.app.doctor.HostDns.SrvService;
import im.zonda.app.doctor.machine.DiskChecks;
import im.zonda.app.doctor.machine.DiskReader;
import im.zonda.app.doctor.machine.JavaChecks;
import im.zonda.app.doctor.machine.MachineChecks;
import im.zonda.app.doctor.machine.MachineFacts;
import im.zonda.app.doctor.machine.MachineReader;
import im.zonda.app.doctor.machine.ProcessFacts;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Findings;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.dns.DnsLookup;
import im.zonda.net.Listener;
import im.zonda.runtime.FailureText;
import im.zonda.storage.sql.DatabaseMaintenance;
import im.zonda.storage.sql.log.StoreHealth;
import im.zonda.store.StoreException;
import im.zonda.stream.CertificateNames;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Examines a server: reads the facts, and checks them. Blocks, for as long as DNS and the web take
/// to answer.
final class Doctor {
  private static final Logger LOG = LoggerFactory.getLogger(Doctor.class);
  private static final String SQLITE = "sqlite:";

  /// What the facts are read from.
  ///
  /// @param config the configuration, of the server if it runs
  /// @param running the server of this process; null in a command
  /// @param root the folder with `proc` and `sys`
  /// @param dns looks up records
  /// @param web looks up `host-meta.json`
  /// @param backups knows the newest backup; null if nothing does
  /// @param executor runs look-ups, which block
  record Parts(
      ServerConfig config,
      @Nullable Running running,
      Path root,
      DnsLookup dns,
      HostMetaFacts.Source web,
      @Nullable Backups backups,
      InstantSource clock,
      Executor executor) {}

  /// A running server.
  ///
  /// @param listeners where it accepts connections
  /// @param health how it stores
  record Running(List<Listener> listeners, StoreHealth health) {
    /// Copies the list.
    Running {
      listeners = List.copyOf(listeners);
    }
  }

  /// Knows the backups.
  @FunctionalInterface
  interface Backups {
    /// When the newest one was made; null if there is none.
    ///
    /// @throws IOException if that cannot be read
    @Nullable Instant newest() throws IOException;
  }

  @FunctionalInterface
  private interface Section {
    List<Finding> run() throws IOException;
  }

  private final Parts parts;
  private final ServerConfig config;
  private final List<Finding> findings = new ArrayList<>();

  private Doctor(Parts parts) {
    this.parts = parts;
    this.config = parts.config();
  }

  /// Examines.
  static Findings examine(Parts parts) {
    Doctor doctor = new Doctor(parts);
    doctor.run();
    return new Findings(doctor.findings);
  }

  private void run() {
    Running running = parts.running();
    MachineReader reader = new MachineReader(parts.root());
    MachineFacts machine = reader.machine();
    ProcessFacts process = reader.process(running != null);
    if (running == null) {
      findings.add(Finding.ok("server", "not running; what follows is of a program started here"));
    }
    section("machine", () -> MachineChecks.all(machine, process, connections()));
    section("java", () -> JavaChecks.all(process.java()));
    section(
        "disk",
        () ->
            DiskChecks.all(
                DiskReader.read(config.data().toAbsolutePath()),
                config.storage().url().startsWith(SQLITE)));
    section("file modes", () -> FileChecks.all(FileFacts.of(config)));
    section("database", () -> DatabaseChecks.all(database()));
    section("backup", this::backup);
    section("port", () -> ports(machine, process));
    section("certificate", this::certificates);
    section("DNS", this::dns);
  }

  private void section(String subject, Section section) {
    try {
      findings.addAll(section.run());
    } catch (IOException e) {
      findings.add(Finding.unknown(subject, FailureText.of(e)));
    } catch (RuntimeException e) {
      LOG.atWarn().addKeyValue("subject", subject).setCause(e).log("doctor_check_failed");
      findings.add(Finding.unknown(subject, String.valueOf(e.getMessage())));
    }
  }

  /// The most connections that are not authenticated.
  private long connections() {
    long most = config.limits().connections().unauthenticated();
    if (config.http().isOn()) {
      most += config.limits().http().connections().unauthenticated();
    }
    if (config.s2s().enabled()) {
      most += config.s2s().limits().connections().unauthenticated();
    }
    return most;
  }

  private DatabaseFacts database() {
    Running running = parts.running();
    StoreHealth health = running == null ? null : running.health();
    boolean durable = config.storage().durable();
    String url = config.storage().url();
    if (url.startsWith(SQLITE)
        && !Files.exists(config.data().resolve(url.substring(SQLITE.length())))) {
      return new DatabaseFacts(health, "", null, false, durable);
    }
    try {
      String risks = new DatabaseMaintenance(config.data(), config.storage()).risks();
      return new DatabaseFacts(health, risks, null, true, durable);
    } catch (StoreException e) {
      return new DatabaseFacts(health, null, e.getMessage(), true, durable);
    }
  }

  private List<Finding> backup() throws IOException {
    Backups backups = parts.backups();
    return List.of(
        backups == null
            ? Finding.unknown("backup", "no backups of this server are recorded")
            : DatabaseChecks.backup(backups.newest(), parts.clock().instant()));
  }

  private List<Listener> listeners() {
    Running running = parts.running();
    return running == null ? ListenerFacts.of(config) : running.listeners();
  }

  private List<Finding> ports(MachineFacts machine, ProcessFacts process) {
    List<Finding> all = new ArrayList<>();
    List<Listener> listeners = listeners();
    if (parts.running() == null) {
      all.add(Finding.ok("port", "not running: no address was tried"));
      all.addAll(ListenerChecks.permission(listeners, machine, process));
    } else {
      listeners.forEach(each -> all.add(ListenerChecks.accepts(ListenerFacts.connect(each))));
    }
    boolean isPublic = config.hosts().stream().anyMatch(host -> !DnsChecks.isLocal(host));
    boolean behindProxy = !config.http().trustedProxies().isEmpty() || config.http().url() != null;
    all.addAll(ListenerChecks.reachable(listeners, isPublic, behindProxy));
    return all;
  }

  private List<Finding> certificates() {
    List<CertificateFacts> read =
        config.hosts().stream().map(host -> CertificateFacts.read(config, host)).toList();
    HostCertificateChecks checks = new HostCertificateChecks(read, parts.clock().instant());
    List<Finding> all = new ArrayList<>();
    for (CertificateFacts each : read) {
      all.addAll(
          checks.check(each, config.serviceDomains(each.host()), DnsChecks.isLocal(each.host())));
    }
    return all;
  }

  private List<Finding> dns() throws IOException {
    List<Finding> all = new ArrayList<>();
    Map<SrvService, Set<Integer>> ports = ports(listeners());
    List<InetAddress> own = OwnAddresses.find();
    for (String host : config.hosts()) {
      if (DnsChecks.isLocal(host)) {
        all.add(DnsChecks.local(host));
        continue;
      }
      List<String> services = config.s2s().enabled() ? federated(config, host) : List.of();
      HostDns dns = HostDns.read(host, services, parts.dns(), parts.executor());
      all.addAll(new DnsChecks(dns, ports, own).all());
      if (config.http().isOn()) {
        String ascii = CertificateNames.toAscii(host);
        all.add(HostMetaChecks.check(parts.web().find(ascii), config.http().url(ascii)));
      }
    }
    return all;
  }

  /// The service domains of a host that people of other servers use: not uploads and search.
  static List<String> federated(ServerConfig config, String host) {
    Services own = config.at(host).services();
    List<String> others = List.of(own.uploads().prefix() + ".", own.search().prefix() + ".");
    return config.serviceDomains(host).stream()
        .filter(domain -> others.stream().noneMatch(domain::startsWith))
        .toList();
  }

  /// The ports for each service.
  static Map<SrvService, Set<Integer>> ports(List<Listener> listeners) {
    Map<SrvService, Set<Integer>> ports = new EnumMap<>(SrvService.class);
    for (Listener each : listeners) {
      SrvService service =
          switch (each.kind()) {
            case STARTTLS -> SrvService.CLIENTS;
            case DIRECT_TLS -> SrvService.CLIENTS_TLS;
            case SERVER -> SrvService.SERVERS;
            case SERVER_DIRECT_TLS -> SrvService.SERVERS_TLS;
            case COMPONENT, HTTP, HTTPS, API, API_TLS, ADMIN_TLS, EDGE -> null;
          };
      if (service != null) {
        ports.computeIfAbsent(service, _ -> new TreeSet<>()).add(each.address().getPort());
      }
    }
    return ports;
  }
}
