package im.zonda.app.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.Main;
import im.zonda.app.command.Commands;
import im.zonda.json.JsonReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The list of hosts says how their certificates are and what the last check of DNS has found, and
/// asks no one for that.
@Timeout(60)
class HostListTest {
  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  HostListTest() {}

  private static String run(Path file, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new java.util.ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "--config", file.toString()));
    int code =
        Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    assertThat(code).as(err.toString()).isZero();
    return out.toString();
  }

  private static Map<?, ?> host(Path file) {
    List<?> hosts =
        (List<?>) Objects.requireNonNull(JsonReader.object(run(file, "host", "list")).get("hosts"));
    return (Map<?, ?>) Objects.requireNonNull(hosts.getFirst());
  }

  @Test
  void certificatesAndTheLastCheckOfDnsAreKnown() throws Exception {
    Path file = folder.resolve("zonda.toml");
    Files.writeString(
        file,
        """
        hosts = ["localhost"]
        http.listen = []
        http.listen-tls = []
        c2s.listen = ["127.0.0.1:0"]
        c2s.listen-tls = []
        """);
    try (RunningServers.One _ = RunningServers.start(file)) {
      Map<?, ?> before = host(file);
      assertThat(before.get("certificate")).isEqualTo("self-signed");
      assertThat(Instant.parse(String.valueOf(before.get("certificateEnds"))))
          .isAfter(Instant.now());
      assertThat(before.get("dns")).isNull();
      run(file, "dns", "check", "--domain", "localhost");
      assertThat(host(file).get("dns")).isEqualTo("not-needed");
    }
    try (RunningServers.One _ = RunningServers.start(file)) {
      assertThat(host(file).get("dns")).as("after a restart").isEqualTo("not-needed");
      assertThat(host(file).get("dnsChecked")).isNotNull();
    }
  }
}
