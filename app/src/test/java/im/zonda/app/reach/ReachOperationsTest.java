package im.zonda.app.reach;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.doctor.DoctorOperations.Found;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import im.zonda.app.hosts.RunningServers;
import im.zonda.app.reach.ReachOperations.Reached;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.dns.DnsLookup;
import im.zonda.net.Listener;
import im.zonda.testkit.database.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server looks at itself as clients do.
@Timeout(60)
class ReachOperationsTest {
  private static final String HOST = "a.example";

  @TempDir private Path folder;

  /// DNS that leads to this machine.
  private static final class Dns implements DnsLookup {
    private final Map<String, Records<Srv>> services = new HashMap<>();

    void service(String name, int port) {
      services.put(name, new Records.Found<>(List.of(new Srv(0, 0, port, HOST))));
    }

    @Override
    public Records<Srv> services(String name) {
      return services.getOrDefault(name, new Records.None<>());
    }

    @Override
    public Records<InetAddress> addresses(String name) {
      return name.equals(HOST)
          ? new Records.Found<>(List.of(InetAddress.getLoopbackAddress()))
          : new Records.None<>();
    }
  }

  /// Browsers are sent to a port at which nothing listens.
  private ServerConfig config() {
    return RecordCopy.with(
        ServerConfig.defaults(List.of(HOST), folder), "http.url", "https://a.example:1");
  }

  private static Reached reach(ServerConfig config, DnsLookup dns) {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    return ReachOperations.reach(
        config, HOST, new ReachOperations.Looking(dns, factory, true), Runnable::run);
  }

  private static List<String> problems(Reached reached) {
    return reached.findings().stream()
        .filter(each -> each.level() == Level.PROBLEM)
        .map(Found::text)
        .toList();
  }

  @Test
  void aSelfSignedCertificateIsReachedButNotAccepted() throws Exception {
    Path file = folder.resolve("zonda.toml");
    Files.writeString(
        file,
        """
        hosts = ["a.example"]
        http.listen = []
        http.listen-tls = []
        c2s.listen = ["127.0.0.1:0"]
        c2s.listen-tls = ["127.0.0.1:0"]
        """);
    try (RunningServers.One server = RunningServers.start(file)) {
      Dns dns = new Dns();
      for (Listener each : server.running().listeners()) {
        boolean direct = each.kind() == Listener.Kind.DIRECT_TLS;
        dns.service(
            (direct ? "_xmpps" : "_xmpp") + "-client._tcp." + HOST, each.address().getPort());
      }
      Reached reached = reach(config(), dns);
      assertThat(reached.findings())
          .filteredOn(each -> each.level() == Level.OK)
          .extracting(Found::text)
          .hasSize(2)
          .allMatch(text -> text.endsWith("accepts connections"));
      assertThat(problems(reached))
          .hasSize(3) // and browsers, whose port is closed
          .filteredOn(text -> text.contains("do not accept the certificate for a.example"))
          .hasSize(2);
    }
  }

  @Test
  void aClosedPortAndAMissingAddressSayWhatToDo() throws Exception {
    int closed = FreePorts.next();
    Dns dns = new Dns();
    dns.service("_xmpp-client._tcp." + HOST, closed);
    Reached reached = reach(config(), dns);
    assertThat(reached.problems()).isEqualTo(reached.findings().size());
    Found first = reached.findings().getFirst();
    assertThat(first.text()).contains("port " + closed);
    assertThat(first.advice().getFirst()).startsWith("let port " + closed + " through");
    assertThat(first.text()).as("its own address").doesNotContain("hairpin");
  }

  @Test
  void aRouterMayNotTurnItsOwnAddressBack() throws Exception {
    int closed = FreePorts.next();
    PublicAddress address =
        new PublicAddress(
            HOST, PublicAddress.Use.CLIENTS, HOST, InetAddress.getLoopbackAddress(), closed);
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    Finding behindRouter = address.check(factory, true).getFirst();
    assertThat(behindRouter.text()).contains("although strangers get in", "hairpin NAT");
    assertThat(behindRouter.advice().getFirst()).startsWith("try it from another network");
    assertThat(address.check(factory, false).getFirst().text()).doesNotContain("hairpin");
  }

  @Test
  void aConnectionThatBreaksLaterIsNotTheRoutersFault() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread closing =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  socket.accept().close();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      PublicAddress address =
          new PublicAddress(
              HOST,
              PublicAddress.Use.CLIENTS,
              HOST,
              InetAddress.getLoopbackAddress(),
              socket.getLocalPort());
      SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
      List<Finding> findings = address.check(factory, true);
      closing.join();
      assertThat(findings).hasSize(2);
      assertThat(findings.getLast().text()).doesNotContain("hairpin");
    }
  }
}
