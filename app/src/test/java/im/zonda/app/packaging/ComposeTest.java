package im.zonda.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.app.settings.SettingsReader;
import im.zonda.config.ServerConfig;
import im.zonda.config.edge.EdgeConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The configurations in the files for Docker Compose, and in the image, are read without errors,
/// and fit what the files say of containers.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ComposeTest {
  private static final Path COMPOSE = Packaging.SCRIPTS.resolve("compose");
  private static final Pattern NODE =
      Pattern.compile("\n {2}(node-[a-z]):\n(.*?)(?=\n\n)", Pattern.DOTALL);
  private static final Pattern VARIABLE = Pattern.compile("\n {6}(ZONDA_\\w+): (\\S+)");

  @TempDir private Path folder;

  /// Copies the files, with the password in a place of the test's own.
  @BeforeEach
  void copy() throws IOException {
    Path password = Files.writeString(folder.resolve("database-password"), "secret\n");
    for (String name : List.of("postgresql", "cluster")) {
      Path copies = Files.createDirectory(folder.resolve(name));
      try (Stream<Path> files = Files.list(COMPOSE.resolve(name))) {
        for (Path file : files.toList()) {
          String text = Files.readString(file);
          Files.writeString(
              copies.resolve(String.valueOf(file.getFileName())),
              text.replace("/run/secrets/database-password", password.toString()));
        }
      }
    }
  }

  private static ServerConfig read(Path file, Map<String, String> variables) throws Exception {
    return new SettingsReader(variables, Set.of())
        .read(file, null, Path.of("").toAbsolutePath())
        .config();
  }

  @Test
  void theServersAreConfiguredWithoutErrors() throws Exception {
    ServerConfig postgresql = read(folder.resolve("postgresql/zonda.toml"), Map.of());
    assertThat(postgresql.data()).hasToString("/var/lib/zonda");
    assertThat(postgresql.storage().url()).isEqualTo("postgresql://database/zonda");
    ServerConfig image = read(Packaging.SCRIPTS.resolve("image/zonda.toml"), Map.of());
    assertThat(image.data()).isEqualTo(postgresql.data());
    ServerConfig debian = read(Packaging.SCRIPTS.resolve("debian/zonda.toml"), Map.of());
    assertThat(debian.data()).isEqualTo(postgresql.data());
  }

  @Test
  void theClusterIsConfiguredWithoutErrors() throws Exception {
    assumeTrue(Packaging.has("openssl"), "openssl is not installed");
    Path cluster = folder.resolve("cluster");
    ProcessBuilder certificates =
        new ProcessBuilder(
                "sh", COMPOSE.resolve("cluster/make-certificates").toString(), "example.org")
            .directory(cluster.toFile())
            .redirectErrorStream(true);
    Process process = certificates.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    String compose = Files.readString(cluster.resolve("compose.yaml"));
    String balancer = Files.readString(cluster.resolve("haproxy.cfg"));

    Matcher node = NODE.matcher(compose);
    int nodes = 0;
    for (; node.find(); nodes++) {
      Map<String, String> variables = new HashMap<>();
      Matcher variable = VARIABLE.matcher(node.group(2));
      while (variable.find()) {
        variables.put(
            variable.group(1), variable.group(2).replace("/etc/zonda", cluster.toString()));
      }
      ServerConfig config = read(cluster.resolve("zonda.toml"), variables);
      String bind = String.valueOf(config.cluster().bind());
      String address = bind.substring(0, bind.lastIndexOf(':'));
      assertThat(node.group(2)).contains("{ipv4_address: " + address + "}");
      assertThat(balancer).contains("server " + node.group(1) + " " + address + ":5280 check");
    }
    assertThat(nodes).isEqualTo(3);
    for (String edge : List.of("edge-a", "edge-b")) {
      EdgeConfig config = SettingsReader.readEdge(cluster.resolve(edge + ".toml"), cluster);
      assertThat(config.edge().cores()).hasSize(nodes);
      assertThat(compose).contains("./" + edge + ".toml:/etc/zonda/edge.toml:ro");
      assertThat(balancer).contains("server " + edge + " 172.28.5.2");
    }
  }
}
