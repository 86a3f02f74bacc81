package im.zonda.app.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.backup.BackupPlan.ServerData;
import im.zonda.app.settings.HostFiles;
import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.storage.sql.BackupListener;
import im.zonda.storage.sql.BackupListener.Stage;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.StoreException;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.PostgresqlServer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BackupTest {
  private static final BackupListener NOBODY = (stage, done, all, unit) -> {};
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path folder;
  private final FakeClock clock = new FakeClock();
  private SampleServer sample = new SampleServer(Path.of(""), clock);

  @BeforeEach
  void fill() throws IOException {
    sample = new SampleServer(folder, clock).fill();
  }

  private Backup.Result write(int keep) throws IOException {
    return Backup.write(sample.plan(keep), NOBODY);
  }

  private Path write() throws IOException {
    return write(0).folder();
  }

  private List<String> problems(Path backup) {
    return Backup.verify(backup, clock, NOBODY).problems();
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .map(each -> folder.relativize(each).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void aBackupHasAllThatAServerNeeds() throws IOException {
    Backup.Result result = write(0);
    assertThat(result.folder()).isEqualTo(folder.resolve("backups/zonda-2026-01-01T0000Z"));
    assertThat(files(result.folder()).stream().filter(name -> !name.startsWith("uploads/")))
        .containsExactly(
            "acme/account.key",
            "config/hosts.d/b.example.toml",
            "config/zonda.toml",
            "manifest.json",
            "manifest.sha256",
            "secret",
            "self-signed.crt",
            "self-signed.key",
            "zonda.db");
    assertThat(files(result.folder().resolve("uploads")))
        .hasSize(2)
        .isEqualTo(files(sample.uploads()));
    Manifest manifest = result.manifest();
    assertThat(manifest).isEqualTo(Manifest.read(result.folder()));
    assertThat(manifest.counts().accounts()).isEqualTo(2);
    assertThat(manifest.uploads()).isEqualTo(new Manifest.Uploads(2, 44, 0));
    assertThat(manifest.time()).isEqualTo(clock.instant());
    assertThat(problems(result.folder())).isEmpty();
  }

  @Test
  void onlyTheOwnerMayReadIt() throws IOException {
    Path backup = write();
    try (Stream<Path> all = Files.walk(backup)) {
      assertThat(all)
          .allSatisfy(each ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                  .isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------"));
    }
  }

  @Test
  void uploadsAreNotCopiedOnTheSameDisk() throws IOException {
    Path backup = write();
    String one = files(sample.uploads()).getFirst();
    assertThat(
            Files.isSameFile(backup.resolve("uploads").resolve(one), sample.uploads().resolve(one)))
        .isTrue();
  }

  @Test
  void aChangedByteInAnyFileIsFound() throws IOException {
    Path backup = write();
    for (String name : files(backup)) {
      Path file = backup.resolve(name);
      byte[] content = Files.readAllBytes(file);
      if (content.length > 0) {
        byte[] changed = content.clone();
        changed[content.length / 2] ^= 1;
        Files.write(file, changed);
        assertThat(problems(backup)).as(name).isNotEmpty();
        Files.write(file, content);
      }
    }
    assertThat(problems(backup)).isEmpty();
  }

  @Test
  void aMissingFileAndACutOneAreFound() throws IOException {
    Path backup = write();
    for (String name : files(backup)) {
      Path file = backup.resolve(name);
      byte[] content = Files.readAllBytes(file);
      Files.delete(file);
      assertThat(problems(backup)).as(name).isNotEmpty();
      if (content.length > 0) {
        Files.write(file, new byte[0]);
        assertThat(problems(backup)).as(name).isNotEmpty();
      }
      Files.write(file, content);
    }
    assertThat(problems(backup)).isEmpty();
    assertThat(problems(folder.resolve("none"))).isNotEmpty();
  }

  @Test
  void anUploadThatIsMissingOnTheServerIsCounted() throws IOException {
    Files.delete(sample.uploads().resolve(files(sample.uploads()).getFirst()));
    Backup.Result result = write(0);
    assertThat(result.manifest().uploads().files()).isEqualTo(1);
    assertThat(result.manifest().uploads().missing()).isEqualTo(1);
    assertThat(problems(result.folder())).isEmpty();
  }

  @Test
  void aFailureLeavesNothing() throws IOException {
    assertThatThrownBy(() ->
            Backup.write(
                sample.plan(0),
                (stage, done, all, unit) -> {
                  if (stage == Stage.FILES) {
                    throw new IllegalStateException("the test's");
                  }
                }))
        .hasMessage("the test's");
    assertThat(Backups.list(sample.target())).isEmpty();
    try (Stream<Path> left = Files.list(sample.target())) {
      assertThat(left).allMatch(each -> each.getFileName().toString().endsWith(".lock"));
    }
  }

  @Test
  void whatAnInterruptedBackupLeftIsRemoved() throws IOException {
    Path left = sample.target().resolve("zonda-2025-12-31T2359Z.unfinished/uploads");
    Files.createDirectories(left);
    Files.writeString(left.resolve("part"), "x");
    Path other = Files.createDirectories(sample.target().resolve("mine.unfinished"));
    Path backup = write();
    assertThat(left.getParent()).doesNotExist();
    assertThat(other).exists();
    assertThat(backup).exists();
  }

  @Test
  void oneBackupIsWrittenAtATime() throws IOException {
    Files.createDirectories(sample.target());
    try (FileChannel _ = Backups.lock(sample.target())) {
      assertThatThrownBy(this::write)
          .hasMessage("another backup is being written in " + sample.target());
    }
    Path first = write();
    assertThat(write().getFileName()).hasToString(first.getFileName() + "-2");
    assertThat(Backups.list(sample.target())).hasSize(2);
  }

  @Test
  void theOldestAreRemoved() throws IOException {
    Path first = write();
    clock.advance(DAY);
    Path second = write();
    Path other = Files.createDirectories(sample.target().resolve("zonda-2020-01-01T0000Z"));
    clock.advance(DAY);
    Backup.Result third = write(2);
    assertThat(third.removed()).containsExactly(first);
    assertThat(first).doesNotExist();
    assertThat(other).exists(); // has no manifest
    assertThat(Backups.list(sample.target()))
        .extracting(Backups.Found::folder)
        .containsExactly(third.folder(), second);
  }

  @Test
  void theNewestVerifiedOneStays() throws IOException {
    Path first = write();
    assertThat(problems(first)).isEmpty();
    clock.advance(DAY);
    Path second = write();
    clock.advance(DAY);
    Path third = write(1).folder();
    assertThat(first).exists();
    assertThat(second).doesNotExist();
    assertThat(problems(third)).isEmpty();
    assertThat(Backups.list(sample.target()).getFirst().verified()).isEqualTo(clock.instant());
    clock.advance(DAY);
    Path fourth = write(1).folder();
    assertThat(Backups.list(sample.target()))
        .extracting(Backups.Found::folder)
        .containsExactly(fourth, third);
  }

  @Test
  void aDamagedBackupIsNoLongerVerified() throws IOException {
    Path backup = write();
    assertThat(problems(backup)).isEmpty();
    Files.delete(backup.resolve("secret"));
    assertThat(problems(backup)).containsExactly("secret is missing");
    assertThat(Backups.list(sample.target()).getFirst().verified()).isNull();
  }

  @Test
  void aBackupIsRestored() throws IOException {
    Path backup = write();
    Path data = folder.resolve("restored");
    Manifest manifest = Restore.into(SampleServer.at(data), backup, null, NOBODY);
    assertThat(manifest.counts().accounts()).isEqualTo(2);
    assertThat(files(data).stream().filter(name -> !name.startsWith("uploads/")))
        .containsExactly(
            "acme/account.key",
            "secret",
            "self-signed.crt",
            "self-signed.key",
            "zonda.db",
            "zonda.lock");
    assertThat(files(data.resolve("uploads"))).isEqualTo(files(sample.uploads()));
    try (SqlStores stores = SampleServer.open(data, clock)) {
      assertThat(stores.accounts().find(SampleServer.ROMEO)).isNotNull();
      assertThat(stores.uploads().find("rose")).isNotNull();
    }
    assertThat(problems(backup)).isEmpty();
  }

  /// From SQLite to PostgreSQL and back.
  @Test
  void aBackupIsRestoredInAnotherDatabase() throws IOException {
    PostgresqlServer server = PostgresqlServer.shared();
    server.createDatabase("restored");
    ServerData inServer =
        SampleServer.at(
            folder.resolve("second"),
            new Storage(true, true, 0, 512)
                .withDatabase(
                    server.url("restored"),
                    DatabaseServer.USER,
                    DatabaseServer.PASSWORD,
                    DatabaseTls.OFF));
    Manifest first = Restore.into(inServer, write(), null, NOBODY);
    BackupPlan plan =
        new BackupPlan(inServer, null, HostFiles.in(folder), sample.target(), 0, clock);
    Backup.Result second = Backup.write(plan, NOBODY);
    assertThat(second.manifest().database()).isEqualTo(server.url("restored"));
    assertThat(second.manifest().counts()).isEqualTo(first.counts());
    assertThat(second.manifest().uploads()).isEqualTo(first.uploads());
    assertThat(problems(second.folder())).isEmpty();
    Path data = folder.resolve("third");
    assertThat(Restore.into(SampleServer.at(data), second.folder(), null, NOBODY).counts())
        .isEqualTo(first.counts());
    try (SqlStores stores = SampleServer.open(data, clock)) {
      assertThat(stores.accounts().find(SampleServer.ROMEO)).isNotNull();
      assertThat(stores.uploads().find("rose")).isNotNull();
    }
    assertThat(files(data.resolve("uploads"))).isEqualTo(files(sample.uploads()));
  }

  @Test
  void aFolderThatIsNotEmptyIsNotChanged() throws IOException {
    Path backup = write();
    Path data = Files.createDirectories(folder.resolve("restored"));
    Files.writeString(data.resolve("secret"), "another");
    assertThatThrownBy(() -> Restore.into(SampleServer.at(data), backup, null, NOBODY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(data + " is not empty (it has secret)");
    assertThat(files(data)).containsExactly("secret", "zonda.lock");
    assertThat(Files.readString(data.resolve("secret"))).isEqualTo("another");
  }

  @Test
  void aDamagedBackupIsNotRestored() throws IOException {
    Path backup = write();
    Files.writeString(backup.resolve("secret"), "x");
    Path data = folder.resolve("restored");
    assertThatThrownBy(() -> Restore.into(SampleServer.at(data), backup, null, NOBODY))
        .hasMessageContaining("secret is damaged: it has 1 bytes instead of 32");
    assertThat(data).doesNotExist();
  }

  @Test
  void aRestorationThatFailedIsBegunAgain() throws IOException {
    Path backup = write();
    Path data = folder.resolve("restored");
    assertThatThrownBy(() ->
            Restore.into(
                SampleServer.at(data),
                backup,
                null,
                (stage, done, all, unit) -> {
                  if (stage == Stage.FILES) {
                    throw new IllegalStateException("the test's");
                  }
                }))
        .hasMessage("the test's");
    assertThat(data.resolve("zonda.db")).doesNotExist();
    Manifest _ = Restore.into(SampleServer.at(data), backup, null, NOBODY);
    assertThat(data.resolve("restore.unfinished")).doesNotExist();
    try (SqlStores stores = SampleServer.open(data, clock)) {
      assertThat(stores.accounts().find(SampleServer.ROMEO)).isNotNull();
    }
  }

  @Test
  void pathsDoNotLeaveTheFolder() {
    for (String path : List.of("../secret", "/etc/passwd", "a/../../b", "", ".", "a//b/..")) {
      assertThatThrownBy(() -> new Manifest.Entry(path, 1, "0".repeat(64)))
          .as(path)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aMissingDatabaseIsReported() throws IOException {
    Files.delete(sample.data().resolve("zonda.db"));
    assertThatThrownBy(this::write)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("there is no database ");
    assertThat(Backups.list(sample.target())).isEmpty();
  }
}
