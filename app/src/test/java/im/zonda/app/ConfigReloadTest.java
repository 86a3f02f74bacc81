package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.control.ApiClient;
import im.zonda.app.hosts.ConfigOperations;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.hosts.HostOperations;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.module.admin.operation.AccountLists;
import im.zonda.module.admin.operation.AccountOperations;
import im.zonda.net.Listener;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The configuration is changed and read again while the server runs, by the commands of the
/// control socket.
@Timeout(120)
class ConfigReloadTest {
  private static final String PASSWORD = "secret";
  private static final String MAIN =
      """
      hosts = ["a.example"]
      [http]
      listen = []
      listen-tls = []
      [c2s]
      listen = ["127.0.0.1:0"]
      listen-tls = ["127.0.0.1:0"]
      [tls]
      certificate = "shared/self-signed.crt"
      key = "shared/self-signed.key"
      """;

  @TempDir private Path folder;

  private RunningServer server;
  private OperationRunner operations;

  @BeforeEach
  void start() throws Exception {
    certificate("shared", "a.example", "b.example", "rooms.a.example");
    write(MAIN);
    ConfigSource source = new ConfigFile(folder.resolve("zonda.toml"));
    server = new ServerProcess(source, code -> {}).start(source.read().config());
    operations = new RunningServerRunner(new ApiClient(folder.resolve("data")));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @SuppressWarnings("NullAway.Init") // set before each test
  ConfigReloadTest() {}

  private void write(String text) throws IOException {
    Files.writeString(folder.resolve("zonda.toml"), text);
  }

  private PemFiles certificate(String name, String... domains) throws IOException {
    return SelfSigned.ensure(
        Files.createDirectories(folder.resolve(name)),
        List.of(domains),
        InstantSource.system(),
        new SecureRandom());
  }

  private String reload() throws IOException {
    return operations.ask(ConfigOperations.RELOAD, Map.of()).text();
  }

  private String add(String domain, String settings) throws IOException {
    return operations
        .ask(HostOperations.ADD, Map.of("domain", domain, "settings", settings))
        .text();
  }

  private String remove(String domain) throws IOException {
    return operations.ask(HostOperations.REMOVE, Map.of("domain", domain)).text();
  }

  private String erase(String domain) throws IOException {
    return operations.finish(
        HostOperations.ERASE,
        Map.of("domain", domain, "services", List.of("rooms." + domain)),
        null);
  }

  private InetSocketAddress address() {
    return server.listeners().stream()
        .filter(each -> each.kind() == Listener.Kind.DIRECT_TLS)
        .findFirst()
        .orElseThrow()
        .address();
  }

  private Certificate shown(String domain) throws IOException {
    SocketWire wire = SocketWire.connectTls(address(), domain);
    try {
      return Objects.requireNonNull(wire.tls()).getPeerCertificates()[0];
    } finally {
      wire.close();
    }
  }

  private static Certificate in(PemFiles files) throws Exception {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(Files.newInputStream(files.certificate()));
  }

  private void account(String jid) throws IOException {
    operations.ask(AccountOperations.CREATE, Map.of("account", jid, "password", PASSWORD));
  }

  private ScriptedClient login(String jid) throws IOException {
    Login login = Login.of(jid, PASSWORD).withSecurity(Login.Security.DIRECT_TLS);
    return new ScriptedClient(SocketWire.connectTls(address(), login.domain())).login(login);
  }

  private static String tls(PemFiles files) {
    return "[tls]\ncertificate = \"" + files.certificate() + "\"\nkey = \"" + files.key() + "\"\n";
  }

  @Test
  void federationTakesOverWhatItCanWhileItRuns() throws Exception {
    write(
        MAIN
            + """
            [s2s]
            deny = ["*.bad.example"]
            give-up = "1m"
            listen = ["127.0.0.1:25269"]
            """);
    assertThat(reload())
        .contains("changed s2s\n")
        .containsOnlyOnce("needs a restart")
        .contains("needs a restart: s2s.listen (");
  }

  @Test
  void aHostWithItsOwnCertificateIsAddedChangedAndRemovedUnderLoad() throws Exception {
    account("romeo@a.example");
    PemFiles first = certificate("first", "b.example");
    AtomicBoolean over = new AtomicBoolean();
    List<Throwable> failures = new ArrayList<>();
    try (ScriptedClient romeo = login("romeo@a.example/orchard")) {
      Thread chat =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  for (int i = 0; !over.get() || i < 10; i++) {
                    String id = "m" + i;
                    romeo.send(
                        "<message to='romeo@a.example/orchard' id='" + id + "' type='chat'/>");
                    romeo.receiveFirst(each -> id.equals(each.attribute("id")));
                  }
                } catch (RuntimeException | Error e) {
                  failures.add(e);
                }
              });
      assertThat(add("b.example", tls(first))).isEqualTo("added b.example\n");
      account("juliet@b.example");
      // Although the certificate of the other host names it, too.
      assertThat(shown("b.example")).isEqualTo(in(first));
      assertThat(shown("a.example")).isNotEqualTo(in(first));
      assertThat(HostOperations.text(operations.ask(HostOperations.LIST, Map.of())))
          .contains("a.example       1 account   configuration file")
          .contains("b.example       1 account   hosts.d/b.example.toml");
      try (ScriptedClient juliet = login("juliet@b.example/balcony")) {
        Certificate old = shown("b.example");
        PemFiles next = certificate("next", "b.example");
        Files.copy(next.certificate(), first.certificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(next.key(), first.key(), StandardCopyOption.REPLACE_EXISTING);
        assertThat(reload()).isEqualTo("loaded new certificates\n");
        assertThat(reload()).isEqualTo("nothing has changed\n");
        assertThat(shown("b.example")).isEqualTo(in(next)).isNotEqualTo(old);
        juliet.fence("same-stream");

        assertThat(remove("b.example")).isEqualTo("removed b.example\n");
        assertThat(juliet.awaitStreamError()).isEqualTo("host-gone");
      }
      assertThat(folder.resolve("hosts.d/b.example.toml")).doesNotExist();
      over.set(true);
      chat.join();
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void aWrongConfigurationChangesNothing() throws Exception {
    account("romeo@a.example");
    try (ScriptedClient romeo = login("romeo@a.example/orchard")) {
      write(MAIN.replace("a.example\"", "a.example\", \"c.example\"") + "[limits]\nnope = 1\n");
      assertThatThrownBy(() -> reload())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("zonda.toml:12:1: unknown key limits.nope")
          .hasMessageContaining("nothing has changed");
      write(MAIN);
      assertThatThrownBy(() -> add("b.example", "contact = 1\n"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("hosts.d/b.example.toml:1:1: host.b.example.contact must be");
      assertThat(folder.resolve("hosts.d/b.example.toml")).doesNotExist();
      Files.writeString(folder.resolve("bad.pem"), "bad");
      String bad = "[tls]\ncertificate = \"bad.pem\"\nkey = \"bad.pem\"\n";
      assertThatThrownBy(() -> add("b.example", bad))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("bad.pem");
      assertThat(folder.resolve("hosts.d/b.example.toml")).doesNotExist();
      assertThatThrownBy(() -> add("a.example", ""))
          .hasMessage("a.example is already a host of this server");
      assertThatThrownBy(() -> add("rooms.a.example", ""))
          .hasMessageContaining("rooms.a.example is the room service of a.example");
      assertThatThrownBy(() -> remove("a.example"))
          .hasMessageContaining("remove it from hosts in the configuration file");
      assertThatThrownBy(() -> remove("x.example"))
          .hasMessage("x.example is not a host of this server");
      assertThat(reload()).isEqualTo("nothing has changed\n");
      assertThat(HostOperations.text(operations.ask(HostOperations.LIST, Map.of())).lines())
          .hasSize(1);
      romeo.fence("still-there");
    }
  }

  /// It was found when the page could not be installed, and the old one was gone.
  @Test
  void aPictureThatCannotBeShownChangesNothing() throws Exception {
    write(MAIN + "[services.web]\ntitle = \"Town\"\npicture = \"none.png\"\n");
    assertThatThrownBy(() -> reload())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zonda.toml:13:1: services.web.picture: ")
        .hasMessageContaining("none.png does not exist")
        .hasMessageContaining("nothing has changed");
    write(MAIN);
    assertThat(reload()).isEqualTo("nothing has changed\n");
  }

  @Test
  void whatNeedsARestartIsNamed() throws Exception {
    write(
        MAIN.replace("[c2s]", "[c2s]\nevent-loops = 3")
            + "[limits]\nidle-time = \"9m\"\nvcard-bytes = 2_048\n[registration]\nenabled = true\n");
    String lines = reload();
    assertThat(lines.lines())
        .containsExactly(
            "changed a.example: limits, registration",
            "needs a restart: c2s.event-loops (" + folder.resolve("zonda.toml") + ":6:1)",
            "needs a restart: limits.idle-time (" + folder.resolve("zonda.toml") + ":13:1)");
    assertThat(reload().lines())
        .as("until the restart")
        .hasSize(2)
        .allMatch(line -> line.startsWith("needs a restart: "));
  }

  @Test
  void theDataOfAHostStayUntilTheyAreErased() throws Exception {
    add("b.example", "");
    account("juliet@b.example");
    account("nurse@b.example");
    assertThatThrownBy(() -> erase("b.example"))
        .hasMessage("b.example is a host of this server; remove it first.");
    remove("b.example");
    add("b.example", "");
    login("juliet@b.example/balcony").close();
    remove("b.example");
    assertThat(erase("b.example")).isEqualTo("erased 2 accounts and rooms");
    assertThat(erase("b.example")).isEqualTo("erased 0 accounts and rooms");
    add("b.example", "");
    assertThat(operations.ask(AccountLists.COUNT, Map.of("host", "b.example")).accounts()).isZero();
  }
}
