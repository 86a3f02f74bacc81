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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server without a cluster loads no class of the engine; one with a cluster joins it.
@Timeout(120)
class LoadedClassesTest {
  private static final String CLIENTS =
      """
      hosts = ["localhost"]
      [http]
      listen = []
      listen-tls = []
      [c2s]
      listen = ["127.0.0.1:0"]
      listen-tls = ["127.0.0.1:0"]
      """;

  @TempDir Path folder;

  private Process run(List<String> options, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).directory(folder.toFile()).start();
  }

  private void write(String config) throws Exception {
    Files.writeString(folder.resolve("zonda.toml"), CLIENTS + config);
  }

  /// But not what the JDK itself loads: it asks all jars for handlers when it meets an unknown
  /// scheme of a URL.
  private static boolean isOfTheEngine(String line) {
    if (line.contains(".ClasspathURLStreamHandlerProvider")) {
      return false;
    }
    return line.contains(" org.infinispan.")
        || line.contains(" org.jgroups.")
        || line.contains(" im.zonda.cluster.infinispan.")
        || line.contains(" im.zonda.cluster.membership.Membership ");
  }

  @Test
  void aServerWithoutAClusterLoadsNoClassOfTheEngine() throws Exception {
    write("");
    Path loaded = folder.resolve("loaded");
    Process server = run(List.of("-Xlog:class+load:file=" + loaded), "start", "--exit-when-ready");
    String output = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(server.waitFor()).as(output).isZero();
    List<String> classes = Files.readAllLines(loaded);
    assertThat(classes.stream().filter(LoadedClassesTest::isOfTheEngine)).isEmpty();
    assertThat(classes.stream().filter(line -> line.contains(" im.zonda.app.Wiring "))).hasSize(1);
  }

  @Test
  void aServerWithAClusterJoinsAndLogsItsPlacement() throws Exception {
    DatabaseServer database = PostgresqlServer.shared();
    database.createDatabase("joins");
    Files.writeString(folder.resolve("password"), DatabaseServer.PASSWORD);
    int port = FreePorts.next();
    write(
        """
        [storage]
        url = "%s"
        user = "%s"
        password = "${file:password}"
        [cluster]
        name = "test"
        node = "a"
        bind = "127.0.0.1:%d"
        peers = ["127.0.0.1:%d"]
        """
            .formatted(database.url("joins"), DatabaseServer.USER, port, port));
    Process server = run(List.of(), "start");
    try (BufferedReader output = server.inputReader()) {
      boolean installed = false;
      boolean ready = false;
      List<String> lines = new ArrayList<>();
      while (!installed || !ready) {
        String line = output.readLine();
        assertThat(line).as(String.join("\n", lines)).isNotNull();
        lines.add(line);
        installed |= line.contains("cluster_placement") && line.contains("homes=256");
        ready |= line.contains("is ready");
      }
      Process status = run(List.of(), "cluster", "status");
      assertThat(new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("node a.", ": home of 256, standby of 0 segments");
    } finally {
      server.destroy();
      server.waitFor();
    }
  }
}
