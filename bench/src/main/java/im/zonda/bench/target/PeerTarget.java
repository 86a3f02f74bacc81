package im.zonda.bench.target;

import im.zonda.bench.load.Plan;
import im.zonda.bench.process.Addresses;
import im.zonda.bench.process.Certificates;
import im.zonda.bench.process.ChildProcess;
import im.zonda.bench.process.TemporaryFolder;
import im.zonda.bench.result.Result;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server of another project that the bench starts, on an empty folder.
final class PeerTarget implements Target {
  private static final Duration READY = Duration.ofSeconds(60);

  private final Peer peer;
  private final TargetOptions options;
  private final List<Endpoint> others = new ArrayList<>();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<TargetProcess> processes = new ArrayList<>();
  private @Nullable TemporaryFolder folder;
  private @Nullable ChildProcess process;
  private String version = "";

  /// @throws IOException if it is not installed
  PeerTarget(Peer peer, TargetOptions options) throws IOException {
    this.peer = peer;
    this.options = options;
    options.refuse(peer.name(), "pid", "register", "storage", "server-jvm", "server-settings");
    options.refuse(peer.name(), "nodes", "edges", "hosts", "servers", "stop");
    if (options.transport() != Endpoint.Transport.TCP
        && options.security() != Endpoint.Security.NONE) {
      throw new IllegalArgumentException(
          "--transport with --security is not for " + peer.name() + " as it is set up here");
    }
    version = peer.version();
  }

  @Override
  public void start(Plan plan) throws IOException {
    TemporaryFolder made = new TemporaryFolder();
    folder = made;
    Addresses addresses = new Addresses();
    InetSocketAddress tcp = addresses.free();
    InetSocketAddress http = addresses.free();
    Certificates certificates = Certificates.rsa(made.path(), "host", List.of(options.domain()));
    PeerPlace place =
        new PeerPlace(made, options.domain(), tcp, http, options.security(), certificates);
    ProcessBuilder command = peer.prepare(place);
    ChildProcess started = ChildProcess.start(peer.name(), command, made.path().resolve("output"));
    process = started;
    started.awaitReady(() -> isReady(tcp), READY);
    processes.add(new TargetProcess("server", started.pid()));
    Endpoint byTcp =
        new Endpoint(tcp, options.domain(), Endpoint.Transport.TCP, options.security());
    new Registration(byTcp).register(plan);
    if (options.security() == Endpoint.Security.NONE) {
      for (Endpoint.Transport each : Endpoint.Transport.values()) {
        InetSocketAddress address = each == Endpoint.Transport.TCP ? tcp : http;
        others.add(new Endpoint(address, options.domain(), each, Endpoint.Security.NONE));
      }
    }
    endpoints.add(
        options.transport() == Endpoint.Transport.TCP
            ? byTcp
            : options.endpoint(http, options.domain()));
  }

  @Override
  public List<Endpoint> endpoints(Endpoint.Transport transport) {
    return others.stream().filter(each -> each.transport() == transport).toList();
  }

  private boolean isReady(InetSocketAddress tcp) {
    return options.security() == Endpoint.Security.TLS
        ? Addresses.accepts(tcp)
        : Addresses.answers(tcp, options.domain());
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.copyOf(endpoints);
  }

  @Override
  public String service(String kind) {
    return kind + "." + options.domain();
  }

  @Override
  public List<TargetProcess> processes() {
    return List.copyOf(processes);
  }

  @Override
  public @Nullable Path gcLog() {
    return null;
  }

  @Override
  public Result.Subject subject() {
    List<String> all = new ArrayList<>(options.unusual());
    all.addAll(peer.notes());
    if (options.security() != Endpoint.Security.NONE) {
      all.add("RSA certificate of 2048 bits");
    }
    return new Result.Subject(peer.name(), version, "", all);
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
    if (folder != null) {
      folder.close();
    }
  }
}
