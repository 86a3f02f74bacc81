package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Erasure of the messages of a removed account or room, also after a restart.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class OwnerErasureTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final int EACH = 1_800; // several portions

  private final TestDatabase database;
  @TempDir Path folder;

  OwnerErasureTest(TestDatabase database) {
    this.database = database;
  }

  @Test
  void archivedMessagesOfARemovedAccountAreErasedInSlices() throws SQLException {
    try (SqlStores stores = open()) {
      fill(stores, List.of(ROMEO, JULIET));
      stores.accounts().remove(ROMEO);
      erase(stores);
      assertThat(rows()).isEqualTo(EACH);
    }
  }

  @Test
  void erasingContinuesAfterTheNextStart() throws SQLException {
    try (SqlStores stores = open()) {
      fill(stores, List.of(ROMEO, JULIET));
      stores.accounts().remove(ROMEO); // what is left is erased by the next one
    }
    try (SqlStores stores = open()) {
      erase(stores);
      assertThat(rows()).isEqualTo(EACH);
    }
  }

  @Test
  void archivedMessagesOfARemovedRoomAreErasedToo() throws SQLException {
    Jid room = Jid.of("garden@rooms.example.net");
    try (SqlStores stores = open()) {
      stores
          .rooms()
          .save(
              new RoomStore.Room(room, null, StoresContract.NOON, true, true, "Garden", ""),
              List.of());
      fill(stores, List.of(room, JULIET));
      stores.rooms().remove(room);
    }
    try (SqlStores stores = open()) {
      erase(stores);
      assertThat(rows()).isEqualTo(EACH);
    }
  }

  @Test
  void whatTheIndexHasIsErasedToo() throws SQLException {
    int hers = 66_000; // more than a slice of the index
    try (SqlStores stores = open()) {
      fill(stores, List.of(ROMEO, JULIET));
      append(stores, JULIET, hers - EACH);
      flushWhile(stores, "not exists (select 1 from archive_slice where level = 0)");
      stores.accounts().remove(ROMEO);
      flushWhile(stores, "exists (select 1 from removed_owner)");
      assertThat(rows("message")).isEqualTo(hers);
      assertThat(rows("message where owner_id in (select id from account)")).isEqualTo(hers);
    }
  }

  @Test
  void whatAnEarlierVersionHadBegunToEraseIsFound() throws SQLException {
    try (SqlStores stores = open()) {
      fill(stores, List.of(ROMEO, JULIET));
      stores.messages().flush();
    }
    // Its index is gone; the log is read again before anything is erased.
    for (String sql :
        List.of(
            "insert into removed_owner select id, -1 from account where local = 'romeo'",
            "delete from account where local = 'romeo'")) {
      change(sql);
    }
    try (SqlStores stores = open()) {
      erase(stores);
      assertThat(rows()).isEqualTo(EACH);
    }
  }

  private SqlStores open() {
    return SqlStores.open(
        folder,
        database.settings(folder, new Storage(true, true, 0, 512)),
        Limits.defaults(),
        InstantSource.system());
  }

  private static void fill(SqlStores stores, List<Jid> owners) {
    stores.accounts().create(owners.stream().map(StoresContract::account).toList());
    for (int i = 0; i < EACH / 100; i++) {
      owners.forEach(owner -> append(stores, owner, 100));
    }
  }

  private static void append(SqlStores stores, Jid owner, int count) {
    for (int i = 0; i < count; i++) {
      stores
          .messages()
          .append(
              new MessageLog.Entry(
                  owner,
                  stores.messages().nextId(),
                  JULIET,
                  StoresContract.message(JULIET, owner, "x")),
              Keep.ARCHIVE,
              i % 10 == 0);
    }
  }

  private void erase(SqlStores stores) throws SQLException {
    flushWhile(stores, "exists (select 1 from removed_owner)");
  }

  /// Lets the writer do one portion after the other.
  private void flushWhile(SqlStores stores, String condition) throws SQLException {
    try (Connection connection = database.connect(folder);
        Statement statement = connection.createStatement()) {
      boolean isTrue = true;
      while (isTrue) {
        stores.messages().flush();
        try (ResultSet row =
            statement.executeQuery("select case when " + condition + " then 1 else 0 end")) {
          isTrue = row.next() && row.getInt(1) == 1;
        }
      }
    }
  }

  private int rows() throws SQLException {
    return rows("message");
  }

  private void change(String sql) throws SQLException {
    database.execute(folder, sql);
  }

  private int rows(String of) throws SQLException {
    return (int) database.number(folder, "select count(*) from " + of);
  }
}
