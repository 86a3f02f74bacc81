package im.zonda.app.backup;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.operation.ServerOperations;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.operation.Caller;
import im.zonda.operation.Job;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.AuditStore;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Backups of a running server, by an operation and by the schedule.
@Timeout(60)
class BackupOperationsTest {
  private static final Caller OWNER = Caller.owner("root");

  @TempDir private Path folder;

  private final FakeClock clock = new FakeClock(Instant.parse("2026-11-28T02:00:00Z"));
  private final AtomicInteger ids = new AtomicInteger();
  private TestServer server;
  private ServerRuntime runtime;
  private Operations operations;

  @SuppressWarnings("NullAway.Init") // set before each test
  BackupOperationsTest() {}

  /// Backups copy the files of the configuration: none is read as settings, or changed.
  private final class Source implements ConfigSource {
    @Override
    public Settings read() {
      throw new UnsupportedOperationException("the test changes no file");
    }

    @Override
    public Settings readWith(Path file, String content) {
      throw new UnsupportedOperationException("the test changes no file");
    }

    @Override
    public @Nullable Path file() {
      return null;
    }

    @Override
    public HostFiles hostFiles() {
      return HostFiles.in(folder);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withData(Files.createDirectory(folder.resolve("data")))
            .withConfig(BackupOperationsTest::daily)
            .withClock(clock)
            .startInMemory();
    runtime =
        new ServerRuntime(
            clock, clock, () -> "job" + ids.incrementAndGet(), new SecureRandom(), Runnable::run);
    operations = ServerOperations.over(server.server(), server.stores(), runtime).operations();
    server
        .server()
        .catalogue()
        .offer(new BackupOperations(server::config, new Source(), clock).offers());
    server.accounts(List.of("romeo@example.org"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static ServerConfig daily(ServerConfig config) {
    return RecordCopy.with(config, "backup", new ServerConfig.Backup(null, Duration.ofDays(1), 2));
  }

  private Job job(String id) {
    Outcome<?> outcome = operations.run(OWNER, "job.show", Map.of("job", id));
    return (Job) ((Outcome.Done<?>) outcome).result();
  }

  private List<BackupOperations.Row> list() {
    Outcome<BackupOperations.Listed> outcome =
        operations.run(OWNER, BackupOperations.LIST, Nothing.NOTHING);
    return ((Outcome.Done<BackupOperations.Listed>) outcome).result().backups();
  }

  @Test
  void aBackupIsWrittenListedAndVerified() throws IOException {
    assertThat(list()).isEmpty();
    assertThat(operations.run(OWNER, BackupOperations.WRITE, Nothing.NOTHING))
        .isEqualTo(new Outcome.Started<>("job1"));
    assertThat(job("job1").text()).startsWith("wrote ").contains("1 accounts");
    assertThat(list())
        .singleElement()
        .satisfies(row -> {
          assertThat(row.name()).isEqualTo("zonda-2026-11-28T0200Z");
          assertThat(row.accounts()).isEqualTo(1);
          assertThat(row.verified()).isNull();
        });
    BackupOperations.Chosen chosen = new BackupOperations.Chosen("zonda-2026-11-28T0200Z");
    assertThat(operations.run(OWNER, BackupOperations.VERIFY, chosen))
        .isEqualTo(new Outcome.Started<>("job2"));
    assertThat(job("job2").text()).contains("is whole");
    assertThat(list().getFirst().verified()).isEqualTo(clock.instant());

    Path database = folder.resolve("data/backups/zonda-2026-11-28T0200Z/zonda.db");
    byte[] bytes = Files.readAllBytes(database);
    bytes[bytes.length / 2] ^= 1;
    Files.write(database, bytes);
    operations.run(OWNER, BackupOperations.VERIFY, chosen);
    assertThat(job("job3").state()).isEqualTo(Job.State.FAILED);
    assertThat(list().getFirst().verified()).isNull();
  }

  @Test
  void onlyABackupOfTheFolderIsVerified() {
    for (String name : List.of("zonda-2026-11-28T0200Z", "..", "../data", "/", "data")) {
      Outcome<?> outcome =
          operations.run(OWNER, BackupOperations.VERIFY, new BackupOperations.Chosen(name));
      assertThat(outcome).as(name).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  void aBackupIsDueWhenTheNewestOneIsOldEnough() {
    BackupSchedule schedule = new BackupSchedule(server::config, operations, _ -> true, runtime);
    schedule.run();
    assertThat(list()).hasSize(1);
    clock.advance(Duration.ofDays(1).minusMinutes(1));
    schedule.run();
    assertThat(list()).as("a day less a minute later").hasSize(1);
    clock.advance(Duration.ofMinutes(1));
    schedule.run();
    assertThat(list()).hasSize(2);
    clock.advance(Duration.ofDays(1));
    schedule.run();
    assertThat(list())
        .as("two are kept")
        .extracting(BackupOperations.Row::name)
        .containsExactly("zonda-2026-11-30T0200Z", "zonda-2026-11-29T0200Z");
    assertThat(
            server.stores().audit().find(AuditStore.Query.newest(10)).stream()
                .map(each -> each.event().caller() + " " + each.event().operation()))
        .contains("schedule server.backup");
    new BackupSchedule(server::config, operations, _ -> false, runtime).run();
    assertThat(list()).as("another node does it").hasSize(2);
    assertThat(Objects.requireNonNull(list().getFirst().time())).isEqualTo(clock.instant());
  }
}
