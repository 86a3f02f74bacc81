package im.zonda.storage.sql.archive;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.crash.CrashingArchive;
import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.log.StoredMessage;
import im.zonda.storage.sql.sqlite.SqliteDialect;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Page;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The archive's index catches up with the log after any interruption.
@Timeout(240)
public class ArchiveCatchUpTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Portion PAGE = new Portion(false, 20_000, 1L << 30);

  @TempDir Path folder;

  @Test
  void aDatabaseOfTheFirstVersionIsIndexed() throws SQLException {
    SqliteDialect dialect = new SqliteDialect(file(), each -> each);
    Schema first =
        new Schema(SqliteDialect.SCHEMA.folder(), SqliteDialect.SCHEMA.changes().subList(0, 1));
    try (Connection connection = dialect.create(file())) {
      first.migrate(connection, dialect);
      assertThat(dialect.schemaVersion(connection)).isEqualTo(1);
      fill(connection, 70_000);
    }
    try (SqlStores stores = open()) {
      assertAllThere(stores);
      awaitAtLeast(2 * 65_536, "select sum(entries) from archive_slice where level = 0");
      awaitAtLeast(69_000, "select count(*) from archive_text");
      assertAllThere(stores);
    }
    try (SqlStores stores = open()) {
      assertAllThere(stores);
    }
  }

  /// Rows as the first version of the schema has them.
  private static void fill(Connection connection, int rows) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement accounts = connection.createStatement();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into message values (?, ?, 'juliet@example.net/b', 0, ?, ?, ?)")) {
      accounts.execute("insert into account values (1, 'example.net', 'romeo', 0)");
      accounts.execute("insert into account values (2, 'example.net', 'juliet', 0)");
      Jid with = Jid.of("juliet@example.net/b");
      byte[] stanza = "<message><body>hail</body></message>".getBytes(StandardCharsets.UTF_8);
      for (int i = 1; i <= rows; i++) {
        long owner = 1L + i % 2;
        insert.setLong(1, i);
        insert.setLong(2, owner);
        insert.setInt(3, i % 1_000 == 0 ? 0 : 1);
        insert.setBytes(4, stanza);
        insert.setLong(5, StoredMessage.checksum(i, owner, with, stanza));
        insert.executeUpdate();
      }
    }
    connection.commit();
  }

  @Test
  void theIndexContinuesAfterAKill() throws Exception {
    Random random = new Random(20261121);
    for (int round = 0; round < 4; round++) {
      killAfter(3 + random.nextInt(4));
      try (SqlStores stores = open()) {
        stores.check();
        assertAllThere(stores); // while the index catches up
      }
    }
    try (SqlStores stores = open()) {
      awaitAtLeast(1, "select count(*) from archive_slice where level = 0");
      assertAllThere(stores);
    }
  }

  /// Starts the process that appends, reads `reports` of its reports, and kills it.
  private void killAfter(int reports) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingArchive.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (int i = 0; i < reports; i++) {
        assertThat(out.readLine()).isNotNull();
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatARemovedAccountLeavesGoesFromTheIndexToo() throws SQLException {
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
      append(stores, 40_000);
      awaitAtLeast(1, "select count(*) from archive_slice where level = 0");
      stores.accounts().remove(ROMEO); // half of it in the index, half in memory
      append(stores, 10_000, JULIET);
      awaitAtLeast(1, "select count(*) = 0 from removed_owner");
      long romeo = 1;
      assertThat(number("select count(*) from message where owner_id = " + romeo)).isZero();
      assertThat(number("select sum(removed) from archive_slice")).isPositive();
      assertThat(number("select count(*) from archive_text where archive_text match '\"1_hail\"'"))
          .isZero();
      assertThat(number("select count(*) from archive_text where archive_text match '\"2_hail\"'"))
          .isPositive();
    }
  }

  /// What is not in slices is in memory.
  @Test
  void theIndexKeepsUpWithAWriterThatIsNeverIdle() throws SQLException {
    Message hail = StoresContract.message(JULIET, ROMEO, "hail"); // for all, to append fast
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
      int appends = Boolean.getBoolean("zonda.test.all") ? 600_000 : 200_000;
      for (int i = 1; i <= appends; i++) {
        while (stores.messages().congested()) {
          LockSupport.parkNanos(100_000);
        }
        long id = stores.messages().nextId();
        stores
            .messages()
            .append(
                new MessageLog.Entry(ROMEO, id, JULIET, hail),
                Keep.ARCHIVE,
                false,
                new MessageLog.Entry(JULIET, id, ROMEO, hail));
        if (i % 50_000 == 0) {
          assertThat(number("select count(*) from message, archive_mark where id > indexed_to"))
              .isLessThan(150_000);
        }
      }
    }
  }

  private static void append(SqlStores stores, int each) {
    append(stores, each, ROMEO, JULIET);
  }

  private static void append(SqlStores stores, int each, Jid... owners) {
    for (int i = 0; i < each; i++) {
      for (Jid owner : owners) {
        stores
            .messages()
            .append(
                new MessageLog.Entry(
                    owner,
                    stores.messages().nextId(),
                    JULIET,
                    StoresContract.message(JULIET, owner, "hail")),
                Keep.ARCHIVE,
                i % 100 == 0);
      }
      if (i % 1_000 == 0) {
        stores.messages().flush();
      }
    }
  }

  private Path file() {
    return folder.resolve("zonda.db");
  }

  private SqlStores open() {
    return SqlStores.open(
        folder, new Storage(true, true, 0, 512, true), Limits.defaults(), InstantSource.system());
  }

  /// Waits until background work has brought a number so far. Nothing is asked of the writer
  /// meanwhile: it gives such work a small share of the time while it is asked.
  private void awaitAtLeast(long wanted, String query) throws SQLException {
    while (number(query) < wanted) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  /// Pages have exactly the entries of the log's table.
  private void assertAllThere(SqlStores stores) throws SQLException {
    for (Jid owner : List.of(ROMEO, JULIET)) {
      stores.messages().flush();
      List<Long> expected = rows(owner);
      assertThat(ids(stores, owner, null, null)).isEqualTo(expected);
      assertThat(ids(stores, owner, JULIET, null)).isEqualTo(expected);
      assertThat(ids(stores, owner, null, "hail")).isEqualTo(expected);
    }
  }

  private static List<Long> ids(
      SqlStores stores,
      Jid owner,
      @org.jspecify.annotations.Nullable Jid with,
      @org.jspecify.annotations.Nullable String text) {
    List<Long> ids = new ArrayList<>();
    Page page;
    do {
      long from = ids.isEmpty() ? Long.MIN_VALUE : ids.getLast() + 1;
      Filter filter = new Filter(with, from, Long.MAX_VALUE, null, text);
      page = stores.archive().page(owner, filter, PAGE);
      page.entries().forEach(entry -> ids.add(entry.id()));
    } while (!page.complete());
    return ids;
  }

  private List<Long> rows(Jid owner) throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        PreparedStatement statement =
            connection.prepareStatement(
                """
                select message.id from message join account on account.id = owner_id
                where local = ? and archive = 1 order by message.id
                """)) {
      statement.setString(1, owner.local());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ids.add(row.getLong(1));
        }
      }
    }
    return ids;
  }

  private long number(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : -1;
    }
  }
}
