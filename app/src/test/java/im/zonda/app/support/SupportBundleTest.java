package im.zonda.app.support;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.hosts.ConfigOperations;
import im.zonda.app.log.LogOperations;
import im.zonda.app.operation.ServerOperations;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.SettingsText;
import im.zonda.app.status.StatusOperations;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A file for those who help.
@Timeout(60)
class SupportBundleTest {
  private static final String SECRET = "open-sesame-7355608";

  /// All settings that are secrets, with one.
  private static final String SETTINGS =
      """
      hosts = ["example.org"]
      storage.url = "postgresql://127.0.0.1/zonda"
      storage.user = "zonda"
      storage.password = "%1$s"

      [services.external.turn]
      type = "turn"
      host = "turn.example.org"
      port = 3478
      transport = "udp"
      secret = "%1$s"

      [component.secret]
      "gateway.example.org" = "%1$s"
      """
          .formatted(SECRET);

  @TempDir private Path folder;

  private static Map<String, String> entries(byte[] zip) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
      for (ZipEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
        entries.put(each.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return entries;
  }

  private static Map<String, String> bundle(SupportBundle.Asker asker) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SupportBundle.write(out, asker, Instant.EPOCH);
    return entries(out.toByteArray());
  }

  @Test
  void theConfigurationIsWithoutSecrets() throws Exception {
    Path file = Files.writeString(folder.resolve("zonda.toml"), SETTINGS);
    String shown =
        SettingsText.show(new SettingsReader(Map.of(), Set.of()).read(file, null, folder));
    Map<String, String> entries =
        bundle((operation, _) -> {
          if (operation.equals(ConfigOperations.SHOW)) {
            return new LinkedHashMap<String, @Nullable Object>(Map.of("toml", shown));
          }
          throw new IOException("There is none.");
        });
    assertThat(entries).containsOnlyKeys("README.txt", "config.toml", "missing.txt");
    assertThat(entries.get("config.toml")).contains("turn.example.org", "gateway.example.org");
    assertThat(entries.toString()).doesNotContain(SECRET);
    assertThat(entries.get("missing.txt")).contains("doctor: There is none.");
  }

  @Test
  void whatNodesHaveIsInFoldersOfTheirOwn() throws IOException {
    Map<String, String> entries =
        bundle((operation, given) -> {
          Map<String, @Nullable Object> result = new LinkedHashMap<>();
          switch (operation.name()) {
            case "cluster.nodes" ->
                result.put(
                    "nodes", List.of(Map.of("node", "a"), Map.of("node", "../../etc/passwd")));
            case "log.show" -> result.put("lines", List.of(Map.of("node", "a", "text", "a line")));
            case "server.doctor" -> result.put("failures", List.of("c: no answer"));
            default -> result.put("asked", String.valueOf(given.get("node")));
          }
          return result;
        });
    assertThat(entries)
        .containsKeys("node-a/status.json", "node-______etc_passwd/version.json", "caches.json");
    assertThat(entries.get("node-a/status.json")).contains("\"a\"");
    assertThat(entries.get("caches.json")).contains("\"all\"");
    assertThat(entries.get("log.txt")).isEqualTo("a a line\n");
    assertThat(entries.get("missing.txt")).contains("doctor: c: no answer");
  }

  @Test
  void theOperationWritesWhatTheCallerMaySee() throws Exception {
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    FakeClock clock = new FakeClock();
    try (TestServer server = ServerPlan.of(StandardModules::create).startInMemory()) {
      ServerRuntime runtime =
          new ServerRuntime(
              clock, clock, () -> UUID.randomUUID().toString(), new SecureRandom(), workers);
      ServerOperations made = ServerOperations.over(server.server(), server.stores(), runtime);
      var catalogue = server.server().catalogue();
      catalogue.offer(made.support(folder));
      catalogue.offer(
          List.of(
              ConfigOperations.SHOW.by(
                  (_, _) -> Outcome.done(new ConfigOperations.Shown("hosts = []\n"))),
              StatusOperations.VERSION.by(
                  (_, _) -> Outcome.done(new StatusOperations.Versions("1", "25"))),
              LogOperations.SHOW.by((_, _) -> Outcome.done(new LogOperations.Lines(List.of())))));
      Caller limited =
          new Caller(
              "op", Caller.Via.API, null, new Grant(Role.OPERATOR, null, Set.of(Right.SERVER)));
      for (int i = 0; i <= SupportOperations.MOST_FILES; i++) {
        Outcome<?> started = made.operations().run(limited, "server.bundle", Map.of());
        String job = ((Outcome.Started<?>) started).job();
        Eventually.await(
            "it is written",
            () ->
                made.operations()
                    .run(Caller.owner("root"), "job.show", Map.of("job", job))
                    .toString()
                    .contains("wrote"));
        clock.advance(Duration.ofMinutes(1));
      }
      List<Path> files;
      try (Stream<Path> all = Files.list(folder.resolve("support"))) {
        files = all.sorted().toList();
      }
      assertThat(files).hasSize(SupportOperations.MOST_FILES);
      assertThat(files.getFirst().getFileName()).hasToString("zonda-support-20260101-000100.zip");
      Map<String, String> entries = entries(Files.readAllBytes(files.getLast()));
      assertThat(entries)
          .containsKeys("version.json", "threads.txt")
          .doesNotContainKey("config.toml");
      assertThat(entries.get("missing.txt"))
          .contains("config.toml: There is none here, or you may not see it.");
    } finally {
      workers.shutdownNow();
    }
  }
}
