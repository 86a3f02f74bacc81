package im.zonda.app.federation;

import im.zonda.app.StandardModules;
import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.TestAuthority;
import im.zonda.testkit.server.FakeAddresses;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// The servers of `a.example` and `b.example` in one process, which find each other without DNS.
///
/// @param addresses where both find other servers
record TwoServers(TestServer a, TestServer b, FakeAddresses addresses) implements AutoCloseable {
  static final String A = "a.example";
  static final String B = "b.example";

  /// The domains with certificates.
  static final List<String> DOMAINS = List.of(A, B, "c.example", "d.example");

  /// How servers connect and prove their domains.
  enum Mode {
    /// Certificates of a common authority, with TLS from the start.
    DIRECT_TLS,
    /// Certificates of a common authority, with STARTTLS.
    STARTTLS,
    /// Certificates that no one has signed, and dialback.
    DIALBACK;

    /// How the status of a link names the proof.
    String trust() {
      return this == DIALBACK ? "dialback" : "certificate";
    }
  }

  /// Makes an authority and the certificates of both servers.
  static void makeCertificates(Path folder) {
    TestAuthority.create(folder);
    for (String domain : DOMAINS) {
      TestAuthority.issue(folder, domain, List.of(domain, "rooms." + domain));
    }
  }

  /// Starts both.
  ///
  /// @param folder has the certificates
  /// @param change changes the settings of both
  static TwoServers start(Mode mode, Path folder, UnaryOperator<ServerConfig> change)
      throws IOException {
    FakeAddresses addresses = new FakeAddresses();
    TestServer a = start(A, mode, folder, change, addresses);
    TestServer b = start(B, mode, folder, change, addresses);
    return new TwoServers(a, b, addresses);
  }

  /// Starts the server of one of the domains, and says where it is.
  static TestServer start(
      String domain,
      Mode mode,
      Path folder,
      UnaryOperator<ServerConfig> change,
      FakeAddresses addresses)
      throws IOException {
    TestServer server = plan(domain, mode, folder, change, addresses).startOnSockets();
    boolean directTls = mode == Mode.DIRECT_TLS;
    InetSocketAddress address = server.serverAddress(directTls);
    addresses.serve(domain, address, directTls);
    addresses.serve("rooms." + domain, address, directTls);
    return server;
  }

  /// The server of one of the domains, which does not run yet.
  static ServerPlan plan(
      String domain,
      Mode mode,
      Path folder,
      UnaryOperator<ServerConfig> change,
      FakeAddresses addresses) {
    UnaryOperator<ServerConfig> trust =
        mode == Mode.DIALBACK
            ? config -> RecordCopy.with(config, "s2s.trust", S2s.Trust.CERTIFICATE_OR_DIALBACK)
            : config -> withCertificate(config, domain, folder);
    return ServerPlan.of(StandardModules::create)
        .withHosts(domain)
        .withSecret("the secret of " + domain)
        .withConfig(trust)
        .withConfig(change)
        .withFederation(addresses);
  }

  private static ServerConfig withCertificate(ServerConfig config, String domain, Path folder) {
    ServerConfig.Tls own =
        new ServerConfig.Tls(folder.resolve(domain + ".crt"), folder.resolve(domain + ".key"));
    ServerConfig certified = RecordCopy.with(config, "tls", own);
    return RecordCopy.with(certified, "s2s.ca", folder.resolve("authority.crt"));
  }

  /// A client of the first server.
  ScriptedClient romeo() {
    return a.connect("romeo@a.example/orchard");
  }

  /// A client of the second server.
  ScriptedClient juliet() {
    return b.connect("juliet@b.example/balcony");
  }

  /// What the first server knows of its link to a domain.
  RemoteLinkStatus link(String remote) {
    return Objects.requireNonNull(a.server().federation())
        .domains()
        .links(Duration.ofSeconds(10))
        .stream()
        .filter(link -> link.pair().remote().equals(remote))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    try {
      a.close();
    } finally {
      b.close();
    }
  }
}
