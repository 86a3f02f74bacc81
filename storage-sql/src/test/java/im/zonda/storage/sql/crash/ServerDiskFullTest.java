package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.MariadbServer;
import im.zonda.testkit.database.PostgresqlServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The disk of a database server's tables is full. Skipped where mounting is not allowed.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class ServerDiskFullTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final int TOTAL = 4_000;
  private static final int MEGABYTES = 64;

  private final TestDatabase database;
  @TempDir Path parent;

  ServerDiskFullTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open(String name, DatabaseServer server) {
    return SqlStores.open(
        parent,
        new Storage(true, true, 1, 64)
            .withDatabase(
                server.url(name), DatabaseServer.USER, DatabaseServer.PASSWORD, DatabaseTls.OFF),
        Limits.defaults(),
        InstantSource.system());
  }

  @Test
  void onlyStoredEntriesAreAcknowledgedAndItRecoversWhenSpaceReturns() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(parent, MEGABYTES);
        DatabaseServer server =
            database == TestDatabase.POSTGRESQL
                ? PostgresqlServer.create()
                : MariadbServer.create()) {
      server.createDatabase("small", Files.createDirectory(disk.folder().resolve("tables")));
      CountDownLatch committed = new CountDownLatch(TOTAL);
      try (SqlStores stores = open("small", server)) {
        stores.accounts().create(List.of(StoresContract.account(ROMEO)));
        disk.fill(8_000_000);
        Random random = new Random(4711);
        for (int i = 0; i < TOTAL; i++) {
          append(stores, text(random)).whenCommitted(committed::countDown);
        }
        StoreException full =
            catchThrowableOfType(StoreException.class, () -> stores.messages().flush());
        assertThat(full.category()).as(full.getMessage()).isEqualTo(StoreException.Category.FULL);
        StoreState state = stores.messages().state();
        assertThat(state.cause()).isEqualTo(StoreException.Category.FULL);
        assertThat(state.acceptsForLater()).isFalse();
        assertThat(committed.getCount()).isPositive().isLessThan(TOTAL);
        assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(TOTAL);

        disk.clear();
        assertThat(committed.await(60, TimeUnit.SECONDS)).isTrue();
        stores.messages().flush();
        assertThat(stores.messages().state()).isEqualTo(StoreState.STORING);
        assertThat(stores.messages().waiting(ROMEO, 0, TOTAL + 1))
            .extracting(MessageLog.Entry::id)
            .hasSize(TOTAL)
            .doesNotHaveDuplicates();
      }
    }
  }

  /// What cannot be compressed.
  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append(Long.toString(random.nextLong() & Long.MAX_VALUE, 36));
    }
    return text.toString();
  }

  private static MessageLog.Receipt append(SqlStores stores, String text) {
    return stores
        .messages()
        .append(
            new MessageLog.Entry(
                ROMEO,
                stores.messages().nextId(),
                JULIET,
                StoresContract.message(JULIET, ROMEO, text)),
            Keep.ARCHIVE,
            true);
  }
}
