package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// A row of the message log that was changed in the database is never delivered, neither to its
/// owner nor to someone else; the others are.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
class DamagedRowTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Portion ALL = new Portion(false, 100, 1L << 30);

  private final TestDatabase database;
  @TempDir Path folder;
  private long damaged;

  DamagedRowTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open() {
    return SqlStores.open(
        folder,
        database.settings(folder, new Storage(true, true, 0, 512)),
        Limits.defaults(),
        InstantSource.system());
  }

  @BeforeEach
  void fill() {
    try (SqlStores stores = open()) {
      stores
          .accounts()
          .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
      for (String body : List.of("before", "damaged", "after")) {
        long id = stores.messages().nextId();
        damaged = body.equals("damaged") ? id : damaged;
        stores
            .messages()
            .append(
                new MessageLog.Entry(
                    ROMEO, id, JULIET, StoresContract.message(JULIET, ROMEO, body)),
                Keep.ARCHIVE,
                true);
      }
    }
  }

  private void change(String assignment) throws SQLException {
    database.execute(folder, "update message set " + assignment + " where id = " + damaged);
  }

  private static List<String> bodies(List<MessageLog.Entry> entries) {
    return entries.stream().map(StoresContract::body).toList();
  }

  private void isNeverDelivered() {
    try (SqlStores stores = open()) {
      for (int round = 0; round < 2; round++) {
        assertThat(bodies(stores.messages().waiting(ROMEO, 0, 100)))
            .containsExactly("before", "after");
        assertThat(bodies(stores.archive().page(ROMEO, Filter.ALL, ALL).entries()))
            .containsExactly("before", "after");
        assertThat(stores.messages().waiting(JULIET, 0, 100)).isEmpty();
        assertThat(stores.archive().page(JULIET, Filter.ALL, ALL).entries()).isEmpty();
      }
      assertThat(stores.health().counters().damaged()).isPositive();
    }
  }

  @Test
  void theTextOfAnotherMessageIsNotDelivered() throws SQLException {
    long other = database.number(folder, "select min(id) from message");
    change(
        "stanza = (select stanza from (select stanza from message where id = " + other + ") as o)");
    isNeverDelivered();
  }

  @Test
  void anotherSenderIsNotShown() throws SQLException {
    change("peer = 'mercutio@example.net'");
    isNeverDelivered();
  }

  @Test
  void aMessageDoesNotGoToAnotherOwner() throws SQLException {
    change("owner_id = (select id from account where local = 'juliet')");
    isNeverDelivered();
  }

  @Test
  void aWrongChecksumIsNotIgnored() throws SQLException {
    change("checksum = checksum + 1");
    isNeverDelivered();
  }
}
