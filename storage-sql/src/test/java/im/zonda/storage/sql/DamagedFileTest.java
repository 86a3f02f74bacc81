package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that must not be used are rejected with a clear message and not changed.
class DamagedFileTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final int PAGE = 4_096;

  @TempDir Path folder;
  private Path file;
  private final Map<Long, String> bodies = new HashMap<>();

  @BeforeEach
  void fill() {
    file = folder.resolve("zonda.db");
    try (SqlStores stores = open(folder)) {
      stores
          .accounts()
          .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
      for (int i = 0; i < 300; i++) {
        long id = stores.messages().nextId();
        String body = "message " + i + "y".repeat(i);
        bodies.put(id, body);
        stores
            .messages()
            .append(
                new MessageLog.Entry(
                    ROMEO, id, JULIET, StoresContract.message(JULIET, ROMEO, body)),
                MessageLog.Keep.ARCHIVE,
                true);
      }
    }
  }

  private static SqlStores open(Path folder) {
    return SqlStores.open(
        folder, new Storage(true, true, 0, 512), Limits.defaults(), InstantSource.system());
  }

  private StoreException refused(byte[] content) throws IOException {
    Files.write(file, content);
    StoreException refusal = catchThrowableOfType(StoreException.class, () -> open(folder).close());
    assertThat(refusal).isNotNull();
    assertThat(refusal.category()).isEqualTo(StoreException.Category.DAMAGED);
    assertThat(refusal).hasMessageContaining(file.toString()).hasMessageContaining("not changed");
    assertThat(refusal.retryable()).isFalse();
    assertThat(Files.readAllBytes(file)).isEqualTo(content);
    return refusal;
  }

  @Test
  void aSoundFileIsOpened() {
    try (SqlStores stores = open(folder)) {
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(300);
      stores.check();
    }
  }

  @Test
  void aFileCutShortAnywhereIsRefused() throws IOException {
    byte[] sound = Files.readAllBytes(file);
    for (int size :
        List.of(
            0,
            1,
            15,
            16,
            99,
            100,
            512,
            PAGE - 1,
            PAGE,
            PAGE + 1,
            sound.length / 2,
            sound.length / 2 / PAGE * PAGE,
            sound.length - PAGE,
            sound.length - 1)) {
      assertThat(refused(Arrays.copyOf(sound, size))).hasMessageContaining("damaged");
    }
    refused(Arrays.copyOf(sound, sound.length + 1));
  }

  @Test
  void aFileOfAnotherKindIsRefused() throws IOException {
    byte[] text = new byte[9_000];
    Arrays.fill(text, (byte) 'x');
    assertThat(refused(text)).hasMessageContaining("not an SQLite database");
  }

  @Test
  void aDatabaseOfAnotherApplicationIsRefused() throws Exception {
    Files.delete(file);
    sql(file, "create table theirs (a)");
    assertThat(refused(Files.readAllBytes(file))).hasMessageContaining("another application");
  }

  @Test
  void aNewerSchemaIsRefusedAlsoIfOnlyTheWriteAheadFileKnows() throws Exception {
    byte[] sound = Files.readAllBytes(file);
    sql(file, "pragma user_version = 99");
    assertThat(refused(Files.readAllBytes(file)))
        .hasMessageContaining("newer version")
        .hasMessageContaining("99");

    Files.write(file, sound);
    Path other = Files.createDirectory(folder.resolve("copy"));
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("pragma user_version = 99");
      Files.copy(file, other.resolve("zonda.db"));
      Files.copy(folder.resolve("zonda.db-wal"), other.resolve("zonda.db-wal"));
    }
    byte[] log = Files.readAllBytes(other.resolve("zonda.db-wal"));
    assertThat(log).isNotEmpty();
    assertThatThrownBy(() -> open(other)).hasMessageContaining("newer version");
    assertThat(Files.readAllBytes(other.resolve("zonda.db"))).isEqualTo(sound);
    assertThat(Files.readAllBytes(other.resolve("zonda.db-wal"))).isEqualTo(log);
  }

  @Test
  void aWriteAheadFileWithoutItsDatabaseIsRefused() throws IOException {
    Files.delete(file);
    Path log = folder.resolve("zonda.db-wal");
    Files.write(log, new byte[100]);
    assertThatThrownBy(() -> open(folder)).hasMessageContaining("is missing");
    assertThat(file).doesNotExist();
    assertThat(Files.size(log)).isEqualTo(100);
  }

  @Test
  void brokenPagesAreRefused() throws IOException {
    byte[] sound = Files.readAllBytes(file);
    for (int page = 1; page < sound.length / PAGE; page++) {
      byte[] broken = sound.clone();
      broken[page * PAGE] = 99; // no page has this type
      refused(broken);
    }
  }

  @Test
  void aFlippedBitIsNeverServedInAMessage() throws IOException {
    byte[] sound = Files.readAllBytes(file);
    Random random = new Random(77);
    int refusals = 0;
    int left = 0;
    for (int round = 0; round < 150; round++) {
      byte[] flipped = sound.clone();
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, flipped);
      try (SqlStores stores = open(folder)) {
        List<MessageLog.Entry> found = stores.messages().waiting(ROMEO, 0, 1_000);
        for (MessageLog.Entry entry : found) {
          assertThat(StoresContract.body(entry)).isEqualTo(bodies.get(entry.id()));
          assertThat(entry.with()).isEqualTo(JULIET);
        }
        if (found.size() < 300) {
          left++;
          assertThat(stores.health().counters().damaged()).isEqualTo(300 - found.size());
        }
      } catch (StoreException e) {
        assertThat(e.category()).isEqualTo(StoreException.Category.DAMAGED);
        assertThat(Files.readAllBytes(file)).isEqualTo(flipped);
        refusals++;
      }
    }
    // The test would prove nothing if no flipped bit had been detected.
    assertThat(refusals).isPositive();
    assertThat(left).isPositive();
  }

  @Test
  void whatAnInterruptedCreationLeftIsReplaced() throws IOException {
    Path fresh = Files.createDirectory(folder.resolve("fresh"));
    Files.write(fresh.resolve("zonda.db.new"), new byte[] {1, 2, 3});
    try (SqlStores stores = open(fresh)) {
      assertThat(stores.accounts().count("example.net")).isZero();
    }
    assertThat(fresh.resolve("zonda.db.new")).doesNotExist();
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed() throws IOException {
    Path notFolder = Files.write(folder.resolve("file"), new byte[] {1});
    assertThatThrownBy(() -> open(notFolder.resolve("data")))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.category()).isEqualTo(StoreException.Category.UNAVAILABLE))
        .hasMessageContaining(notFolder.toString());
  }

  private static void sql(Path file, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
