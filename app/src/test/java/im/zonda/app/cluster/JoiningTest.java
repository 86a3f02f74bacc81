package im.zonda.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.Main;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.database.PostgresqlServer;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Processes join a cluster with the address of its database and nothing else that must be copied.
@Timeout(180)
class JoiningTest {
  private static final int SECRET_BYTES = 32;

  @TempDir Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final DatabaseServer database = PostgresqlServer.shared();
  private String url = "";
  private int port;

  @BeforeEach
  void createDatabase(TestInfo test) throws Exception {
    String name = "joining_" + Integer.toHexString(test.getDisplayName().hashCode());
    database.createDatabase(name);
    url = database.url(name);
    port = FreePorts.next();
  }

  @AfterEach
  void stop() throws Exception {
    for (Process each : processes) {
      each.destroyForcibly().waitFor();
    }
  }

  /// The folder of a node, with its configuration.
  ///
  /// @param host the last part of its loopback address
  private Path node(int host, String more, String storage) throws Exception {
    Path home = Files.createDirectory(folder.resolve("n" + host));
    Files.writeString(home.resolve("password"), DatabaseServer.PASSWORD);
    Files.writeString(
        home.resolve("zonda.toml"),
        """
        hosts = ["localhost"]
        [http]
        listen = []
        listen-tls = []
        [c2s]
        listen = ["127.0.0.1:0"]
        listen-tls = []
        [storage]
        url = "%s"
        user = "%s"
        password = "${file:password}"
        %s
        [cluster]
        name = "test"
        node = "n%d"
        bind = "127.0.0.%d:%d"
        %s
        """
            .formatted(url, DatabaseServer.USER, storage, host, host, port, more));
    return home;
  }

  private Process run(Path home, List<String> options, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).directory(home.toFile()).start();
    processes.add(process);
    return process;
  }

  /// Reads what a process says until a line contains each of the words.
  private static void await(BufferedReader output, String... words) throws Exception {
    List<String> lines = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
      if (List.of(words).stream().allMatch(line::contains)) {
        return;
      }
    }
    throw new AssertionError("it has ended:\n" + String.join("\n", lines));
  }

  private static byte[] secret(Path home) throws Exception {
    return Files.readAllBytes(home.resolve("data").resolve("secret"));
  }

  @Test
  void nodesFindTheirSecretAndEachOtherInTheDatabase() throws Exception {
    Path first = node(2, "", "");
    Path second = node(3, "", "");
    try (BufferedReader one = run(first, List.of(), "start").inputReader()) {
      await(one, "is ready");
      try (BufferedReader other = run(second, List.of(), "start").inputReader()) {
        await(other, "cluster_placement", "n2.", "n3.");
        await(one, "cluster_placement", "n2.", "n3.");
        await(other, "is ready");
      }
    }
    assertThat(secret(first)).hasSize(SECRET_BYTES).isEqualTo(secret(second));
  }

  @Test
  void aNodeThatStopsTakesItsAddressAway() throws Exception {
    Path home = node(2, "", "");
    Process server = run(home, List.of(), "start");
    try (BufferedReader output = server.inputReader()) {
      await(output, "is ready");
      assertThat(addresses()).isEqualTo("127.0.0.2:" + port);
      server.toHandle().destroy(); // its output stays open
      await(output, "cluster_left");
    }
    server.waitFor();
    assertThat(addresses()).isEmpty();
  }

  private String addresses() throws Exception {
    String name = url.substring(url.lastIndexOf('/') + 1);
    StringBuilder found = new StringBuilder();
    try (var connection = database.connect(name);
        var statement = connection.createStatement();
        var row = statement.executeQuery("select address from cluster_address")) {
      while (row.next()) {
        found.append(row.getString(1));
      }
    }
    return found.toString();
  }

  /// One name stands for the addresses of all nodes.
  @Test
  void nodesFindEachOtherByOneName() throws Exception {
    Path hosts = folder.resolve("hosts");
    Files.writeString(hosts, "127.0.0.2 nodes.test\n127.0.0.3 nodes.test\n");
    List<String> options = List.of("-Djdk.net.hosts.file=" + hosts);
    String peers = "peers = [\"nodes.test:%d\"]".formatted(port);
    Path first = node(2, peers, "");
    Path second = node(3, peers, "");
    try (BufferedReader one = run(first, options, "start").inputReader();
        BufferedReader other = run(second, options, "start").inputReader()) {
      await(one, "cluster_placement", "n2.", "n3.");
      await(other, "cluster_placement", "n2.", "n3.");
    }
  }

  @Test
  void aNodeThatDiffersWhereItMustNotDoesNotStart() throws Exception {
    Path first = node(2, "", "");
    Path other = node(3, "", "");
    Files.write(
        Files.createDirectory(other.resolve("data")).resolve("secret"), new byte[SECRET_BYTES]);
    Path worded = node(4, "", "full-text = true");
    try (BufferedReader one = run(first, List.of(), "start").inputReader()) {
      await(one, "is ready");
      assertThat(refusal(other))
          .contains("has another secret than the file secret in the data folder of this node")
          .doesNotContain("00".repeat(SECRET_BYTES), "\tat ");
      assertThat(refusal(worded))
          .contains("is used by other nodes with storage.full-text = false")
          .doesNotContain("\tat ");
      Files.delete(other.resolve("data").resolve("secret"));
      try (BufferedReader joined = run(other, List.of(), "start").inputReader()) {
        await(joined, "is ready");
      }
    }
    assertThat(secret(other)).isEqualTo(secret(first));
  }

  private String refusal(Path home) throws Exception {
    Process process = run(home, List.of(), "start");
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it does not start").isTrue();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(said).isNotZero();
    return said;
  }
}
