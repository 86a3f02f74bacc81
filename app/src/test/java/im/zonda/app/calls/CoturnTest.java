package im.zonda.app.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.app.StandardModules;
import im.zonda.config.ExternalService;
import im.zonda.config.Services;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The credentials of XEP-0215 with coturn of Debian, whose own client allocates a relay address
/// with them and sends a message through it, over UDP, TCP and TLS.
final class CoturnTest {
  private static final Path PROGRAM = Path.of("/usr/bin/turnserver");
  private static final Path CLIENT = Path.of("/usr/bin/turnutils_uclient");
  private static final Path OPENSSL = Path.of("/usr/bin/openssl");
  private static final String SECRET = "north";
  private static final int START_TRIES = 300;

  @TempDir private Path folder;
  private Process coturn;
  private int port;
  private int tlsPort;

  @BeforeEach
  void start() throws Exception {
    for (Path program : List.of(PROGRAM, CLIENT, OPENSSL)) {
      assumeTrue(
          Files.isExecutable(program),
          program + " is missing: the Debian packages coturn and openssl are not installed");
    }
    port = FreePorts.next();
    tlsPort = FreePorts.next();
    String _ =
        output(
            List.of(
                OPENSSL.toString(),
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2",
                "-subj /CN=turn.example.org -keyout key.pem -out cert.pem"));
    coturn =
        process(
                List.of(
                    PROGRAM.toString(),
                    "-n --no-cli --allow-loopback-peers --use-auth-secret --realm example.org",
                    "--static-auth-secret " + SECRET + " --cert cert.pem --pkey key.pem",
                    "--listening-ip 127.0.0.1 --relay-ip 127.0.0.1 --listening-port " + port,
                    "--tls-listening-port " + tlsPort + " --log-file stdout --pidfile pid",
                    "--userdb users"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    for (int tries = 0; !accepts(port) || !accepts(tlsPort); tries++) {
      // It ends if it cannot start; there is no event for a port that begins to listen.
      if (coturn.waitFor(100, TimeUnit.MILLISECONDS) || tries > START_TRIES) {
        throw new AssertionError("no start: " + Files.readString(folder.resolve("log")));
      }
    }
  }

  @AfterEach
  void stop() {
    if (coturn != null) {
      coturn.destroyForcibly().onExit().join();
    }
  }

  @Test
  void theCredentialsOfAllThreeTransportsAllocateARelay() throws Exception {
    List<XmlElement> services = services(Duration.ofHours(1));
    assertThat(services).hasSize(3);
    for (XmlElement service : services) {
      List<String> options =
          switch (service.attribute("type") + "/" + service.attribute("transport")) {
            case "turn/udp" -> List.of();
            case "turn/tcp" -> List.of("-t");
            case "turns/tcp" -> List.of("-t", "-S");
            default -> throw new AssertionError(service);
          };
      String result = allocate(service, options, attribute(service, "password"));
      assertThat(result).as(service.toString()).contains("Total lost packets 0 ");
      assertThat(result).doesNotContain("Cannot complete Allocation");
    }
  }

  @Test
  void withAnotherPasswordThereIsNoRelay() throws Exception {
    XmlElement service = services(Duration.ofHours(1)).getFirst();
    String other = services(Duration.ofHours(2)).getFirst().attribute("password");
    String options = "turns".equals(service.attribute("type")) ? "-t -S" : "-t";
    assertThat(allocate(service, List.of(options), Objects.requireNonNull(other)))
        .contains("Cannot complete Allocation");
  }

  private String allocate(XmlElement service, List<String> options, String password)
      throws IOException, InterruptedException {
    assertThat(Instant.parse(attribute(service, "expires"))).isAfter(Instant.EPOCH);
    List<String> words = new ArrayList<>(List.of(CLIENT.toString(), "-y -n 1 -m 1"));
    words.addAll(options);
    words.add("-p " + attribute(service, "port"));
    words.add("-u " + attribute(service, "username"));
    words.add("-w " + password);
    words.add(attribute(service, "host"));
    return output(words);
  }

  /// What a host names to its users, with passwords that are valid for that time.
  private List<XmlElement> services(Duration lifetime) throws IOException {
    Map<String, ExternalService> external =
        Map.of(
            "udp", service("turn", port, "udp", lifetime),
            "tcp", service("turn", port, "tcp", lifetime),
            "tls", service("turns", tlsPort, "tcp", lifetime));
    try (TestServer server =
            ServerPlan.of(StandardModules::create)
                .with(
                    "services",
                    new Services(Services.Push.DEFAULTS, external, Services.Search.DEFAULTS))
                .startOnSockets();
        ScriptedClient romeo = server.connect("romeo@example.org/orchard")) {
      romeo.send(
          "<iq type='get' id='s' to='example.org'><services xmlns='urn:xmpp:extdisco:2'/></iq>");
      XmlElement services = Objects.requireNonNull(romeo.receive().child("services"));
      return services.children();
    }
  }

  private static ExternalService service(
      String type, int port, String transport, Duration lifetime) {
    return new ExternalService(
        type, "127.0.0.1", port, transport, null, SECRET, lifetime, null, null);
  }

  private static String attribute(XmlElement service, String name) {
    return Objects.requireNonNull(service.attribute(name));
  }

  /// Starts in the test's folder; the words are separated by spaces too.
  private ProcessBuilder process(List<String> words) {
    List<String> command =
        words.stream().flatMap(each -> List.of(each.split(" ")).stream()).toList();
    return new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
  }

  private String output(List<String> words) throws IOException, InterruptedException {
    Path file = Files.createTempFile(folder, "output", null);
    Process process = process(words).redirectOutput(file.toFile()).start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly().onExit().join();
    }
    return Files.readString(file);
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
