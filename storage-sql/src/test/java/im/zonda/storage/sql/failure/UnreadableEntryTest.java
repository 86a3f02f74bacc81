package im.zonda.storage.sql.failure;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.Stores;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// An entry that cannot be read costs only itself: it does not wait for ever, so it takes no place
/// of the messages that may wait for its owner, and it is kept for repair.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
class UnreadableEntryTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Portion ALL = new Portion(false, 100, 1L << 30);
  private static final String KEPT = "select count(*) from key_value where store = 'unreadable'";

  private final TestDatabase database;
  @TempDir Path folder;

  UnreadableEntryTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open() {
    return SqlStores.open(
        folder,
        database.settings(folder, new Storage(true, true, 0, 512)),
        Limits.defaults(),
        InstantSource.system());
  }

  /// Stores messages for Romeo, of which all but the last cannot be read.
  private void fill(int unreadable, Keep keep, boolean shared) throws SQLException {
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
      for (int i = 0; i <= unreadable; i++) {
        String body = i < unreadable ? "unreadable" : "readable";
        long id = stores.messages().nextId();
        MessageLog.Entry entry =
            new MessageLog.Entry(ROMEO, id, JULIET, StoresContract.message(JULIET, ROMEO, body));
        if (shared) {
          MessageLog.Entry sent = new MessageLog.Entry(JULIET, id, ROMEO, entry.message());
          stores.messages().append(entry, keep, true, sent);
        } else {
          stores.messages().append(entry, keep, true);
        }
      }
    }
    database.execute(
        folder,
        "update message set stanza = "
            + (database == TestDatabase.POSTGRESQL ? "'\\x3c'" : "x'3c'")
            + " where id < (select last from (select max(id) as last from message) as newest)");
  }

  private static List<String> read(SqlStores stores) {
    return stores.messages().waiting(ROMEO, 0, 100).stream().map(StoresContract::body).toList();
  }

  @Test
  void itNoLongerWaitsAndIsKeptForRepair() throws SQLException {
    fill(5, Keep.UNTIL_DELIVERED, false);
    try (SqlStores stores = open()) {
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(6);
      assertThat(read(stores)).containsExactly("readable");
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(1);
      assertThat(stores.openHome(ROMEO, 0)).isEqualTo(new Stores.HomeStart(0, 1));
      assertThat(stores.health().counters().damaged()).isEqualTo(5);
    }
    assertThat(database.number(folder, "select count(*) from message")).isEqualTo(1);
    assertThat(database.number(folder, KEPT)).isEqualTo(5);
  }

  @Test
  void soManyAreKeptAndGoWithTheAccount() throws SQLException {
    fill(130, Keep.UNTIL_DELIVERED, false);
    try (SqlStores stores = open()) {
      assertThat(read(stores)).containsExactly("readable");
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(1);
      assertThat(database.number(folder, KEPT)).isEqualTo(100);
      assertThat(stores.accounts().remove(ROMEO)).isTrue();
    }
    assertThat(database.number(folder, KEPT)).isZero();
  }

  @Test
  void theArchiveSkipsIt() throws SQLException {
    fill(5, Keep.ARCHIVE, true);
    try (SqlStores stores = open()) {
      assertThat(read(stores)).containsExactly("readable");
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(1);
      for (Jid owner : List.of(ROMEO, JULIET)) {
        assertThat(stores.archive().page(owner, Filter.ALL, ALL).entries())
            .extracting(StoresContract::body)
            .containsExactly("readable");
      }
    }
    assertThat(database.number(folder, "select count(*) from message")).isEqualTo(6);
    assertThat(database.number(folder, KEPT)).isZero();
  }

  @Test
  void aQueueForAnotherServerIsEmptyWithoutIt() throws SQLException {
    Jid queue = Jid.of("example.net/example.org");
    try (SqlStores stores = open()) {
      stores.remoteQueues().create(queue);
      long id = stores.messages().nextId();
      stores
          .messages()
          .append(
              new MessageLog.Entry(queue, id, ROMEO, StoresContract.message(JULIET, ROMEO, "x")),
              Keep.UNTIL_DELIVERED,
              true);
    }
    database.execute(folder, "update message set checksum = checksum + 1");
    try (SqlStores stores = open()) {
      assertThat(stores.messages().waiting(queue, 0, 100)).isEmpty();
      assertThat(stores.remoteQueues().remove(queue)).isTrue();
    }
    assertThat(database.number(folder, "select count(*) from message")).isZero();
  }
}
