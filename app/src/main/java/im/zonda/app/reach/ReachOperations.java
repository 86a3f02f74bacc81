package im.zonda.app.reach;

import im.zonda.app.doctor.DoctorOperations.Found;
import im.zonda.app.doctor.OwnAddresses;
import im.zonda.app.finding.Finding;
import im.zonda.app.reach.PublicAddress.Use;
import im.zonda.config.ServerConfig;
import im.zonda.dns.DnsLookup;
import im.zonda.dns.DnsLookup.Records;
import im.zonda.dns.DnsLookup.Srv;
import im.zonda.dns.DnsRecords;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.runtime.FailureText;
import im.zonda.stream.CertificateNames;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/// Connects to the hosts of this server by their public names, as others do. From this machine: a
/// router that does not lead back to its own network is a false alarm, which the text says.
///
/// @param config the configuration in force
public record ReachOperations(Supplier<ServerConfig> config, InstantSource clock) {
  private static final int CLIENT_PORT = 5222;
  private static final int SERVER_PORT = 5269;
  private static final int HTTPS_PORT = 443;

  /// The most addresses that are tried.
  private static final int MOST = 16;

  /// Which host.
  public record Chosen(@Field(value = "the host", form = Form.DOMAIN) String domain) {}

  /// What was found.
  public record Reached(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("how many problems") int problems,
      @Field("the findings") List<Found> findings) {}

  /// `host.reach`.
  public static final Operation<Chosen, Reached> REACH =
      Operation.read("host.reach", Right.HOSTS)
          .at(
              "GET /hosts/{domain}/reach",
              "Connect to a host by its public name, as others do",
              Chosen.class,
              Reached.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(REACH);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(REACH.by((_, chosen) -> reach(chosen.domain())));
  }

  private Outcome<Reached> reach(String host) {
    ServerConfig now = config.get();
    if (!now.hosts().contains(host)) {
      return Outcome.invalid("domain", host + " is no host of this server.");
    }
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      DnsLookup dns = DnsRecords.create(now.s2s().dns(), clock, executor);
      return Outcome.done(
          reach(now, host, new Looking(dns, factory, OwnAddresses.areOnlyPrivate()), executor));
    } catch (SocketException e) {
      return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e) + ".");
    }
  }

  /// What is used to look.
  ///
  /// @param factory makes TLS connections that accept the certificates of known authorities
  /// @param inside whether this machine has private addresses only: public ones are those of a
  ///   router before it
  record Looking(DnsLookup dns, SSLSocketFactory factory, boolean inside) {}

  /// Tries all addresses at once.
  static Reached reach(ServerConfig config, String host, Looking looking, Executor executor) {
    List<Finding> findings = new ArrayList<>();
    List<PublicAddress> addresses = addresses(config, host, looking.dns(), findings);
    List<CompletableFuture<List<Finding>>> tried = new ArrayList<>();
    for (PublicAddress each : addresses.subList(0, Math.min(MOST, addresses.size()))) {
      boolean router = looking.inside() && OwnAddresses.isPublic(each.address());
      tried.add(
          CompletableFuture.supplyAsync(() -> each.check(looking.factory(), router), executor));
    }
    tried.forEach(each -> findings.addAll(each.join()));
    long problems = findings.stream().filter(Finding::isProblem).count();
    return new Reached(
        host,
        Math.toIntExact(problems),
        findings.stream()
            .map(each -> new Found(null, each.level(), each.subject(), each.text(), each.advice()))
            .toList());
  }

  private static List<PublicAddress> addresses(
      ServerConfig config, String host, DnsLookup dns, List<Finding> findings) {
    String name = CertificateNames.toAscii(host);
    Search search = new Search(name, dns, new ArrayList<>(), findings);
    search.service(Use.CLIENTS, "_xmpp-client._tcp.", CLIENT_PORT);
    search.service(Use.CLIENTS_TLS, "_xmpps-client._tcp.", 0);
    if (config.s2s().enabled()) {
      search.service(Use.SERVERS, "_xmpp-server._tcp.", SERVER_PORT);
      search.service(Use.SERVERS_TLS, "_xmpps-server._tcp.", 0);
    }
    URI web = URI.create(config.http().url(name));
    if (config.http().isOn() && "https".equals(web.getScheme()) && web.getHost() != null) {
      int port = web.getPort() < 0 ? HTTPS_PORT : web.getPort();
      new Search(web.getHost(), dns, search.all(), findings)
          .target(Use.BROWSERS, web.getHost(), port);
    }
    return search.all();
  }

  /// Finds the addresses of a host.
  ///
  /// @param all what was found
  private record Search(
      String host, DnsLookup dns, List<PublicAddress> all, List<Finding> findings) {
    /// Those that a record names.
    ///
    /// @param fallback the port of the host itself without a record; 0 for none
    void service(Use use, String prefix, int fallback) {
      switch (dns.services(prefix + host)) {
        case Records.Found<Srv>(List<Srv> found) -> {
          for (Srv each : found) {
            if (!each.target().isEmpty()) {
              target(use, each.target(), each.port());
            }
          }
        }
        case Records.None<Srv>() -> {
          if (fallback > 0) {
            target(use, host, fallback);
          }
        }
        case Records.Failed<Srv>(String reason) ->
            findings.add(Finding.problem(use.word(), "DNS does not answer: " + reason));
      }
    }

    /// Those of a server.
    void target(Use use, String name, int port) {
      switch (dns.addresses(name)) {
        case Records.Found<InetAddress>(List<InetAddress> found) ->
            found.forEach(each -> all.add(new PublicAddress(host, use, name, each, port)));
        case Records.None<InetAddress>() ->
            findings.add(Finding.problem(use.word(), name + " has no address in DNS (step DNS)"));
        case Records.Failed<InetAddress>(String reason) ->
            findings.add(Finding.problem(use.word(), "DNS does not answer: " + reason));
      }
    }
  }
}
