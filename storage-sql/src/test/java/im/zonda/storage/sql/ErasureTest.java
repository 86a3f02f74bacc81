package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Limits;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a removed account or room leaves in the log is erased, if need be after the next start.
class ErasureTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final int EACH = 9_000;

  @TempDir Path folder;

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
  void erasingGoesOnAfterTheNextStart() throws SQLException {
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
          .save(new RoomStore.Room(room, StoresContract.NOON, true, true, "Garden", ""), List.of());
      fill(stores, List.of(room, JULIET));
      stores.rooms().remove(room);
    }
    try (SqlStores stores = open()) {
      erase(stores);
      assertThat(rows()).isEqualTo(EACH);
    }
  }

  private SqlStores open() {
    return SqlStores.open(
        folder,
        new ServerConfig.Storage(true, true, 0, 512),
        Limits.defaults(),
        InstantSource.system());
  }

  private static void fill(SqlStores stores, List<Jid> owners) {
    stores.accounts().create(owners.stream().map(StoresContract::account).toList());
    for (int i = 0; i < EACH; i++) {
      for (Jid owner : owners) {
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
  }

  /// Lets the writer do one slice after the other.
  private void erase(SqlStores stores) throws SQLException {
    for (int slice = 0; slice < 20 && rows() > EACH; slice++) {
      stores.messages().flush();
    }
  }

  private int rows() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("zonda.db"));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from message")) {
      return row.next() ? row.getInt(1) : -1;
    }
  }
}
