package im.zonda.storage.sql.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.ClusterRows;
import im.zonda.cluster.Member;
import im.zonda.config.Storage;
import im.zonda.storage.contract.ClusterRowsContract;
import im.zonda.storage.memory.MemoryClusterRows;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.mariadb.Mariadb;
import im.zonda.storage.sql.postgresql.Postgresql;
import im.zonda.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The row of a cluster, in memory and on the databases of servers.
@Timeout(120)
class ClusterRowsTest {
  @Nested
  class InMemory extends ClusterRowsContract {
    private final MemoryClusterRows rows = new MemoryClusterRows();

    @Override
    protected ClusterRows rows() {
      return rows;
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("im.zonda.storage.sql.TestDatabase#servers")
  class OnServers extends ClusterRowsContract {
    private final TestDatabase database;
    private final List<SqlClusterRows> opened = new ArrayList<>();
    @TempDir Path folder;

    OnServers(TestDatabase database) {
      this.database = database;
    }

    @BeforeEach
    void createTables() throws SQLException {
      Dialect dialect = database.dialect(folder);
      try (Connection connection = dialect.open()) {
        assertThat(dialect.tables(connection)).contains("cluster_row");
      }
    }

    @Override
    protected ClusterRows rows() {
      return open("test");
    }

    private SqlClusterRows open(String cluster) {
      Storage settings = database.emptySettings(folder, new Storage(true, true, 0, 512));
      opened.add(SqlStores.clusterRows(settings, cluster));
      return opened.getLast();
    }

    @AfterEach
    void close() {
      opened.forEach(SqlClusterRows::close);
    }

    @Test
    void aBrokenConnectionFailsOnceAndIsReplaced() throws SQLException {
      ClusterRows rows = rows();
      ClusterRow row = new ClusterRow(1, List.of(new Member("a", 1)), Map.of("a", 1L), 0);
      rows.compareAndSet(0, row);
      database.execute(folder, "alter table cluster_row rename to away");
      assertThatThrownBy(rows::read)
          .isInstanceOfSatisfying(
              StoreException.class, failure -> assertThat(failure.retryable()).isTrue());
      database.execute(folder, "alter table away rename to cluster_row");
      assertThat(rows.read()).isEqualTo(row);
    }

    /// A node that is cut off may end its connection while another one ends it.
    @Test
    void toEndASessionThatIsNotThereDoesNothing() throws SQLException {
      ServerKind kind = database == TestDatabase.MARIADB ? new Mariadb() : new Postgresql();
      try (Connection connection = database.dialect(folder).open()) {
        kind.endSession(connection, 1_000_000_000);
        assertThat(connection.isValid(60)).isTrue();
      }
    }

    @Test
    void theAddressOfANodeIsKnownUntilItLeaves() {
      SqlClusterRows one = open("test");
      SqlClusterRows other = open("test");
      one.announce("a", "192.0.2.1:7800");
      other.announce("b", "192.0.2.2:7800");
      one.announce("a", "192.0.2.3:7800");
      assertThat(other.addresses()).containsExactly("192.0.2.3:7800", "192.0.2.2:7800");
      assertThat(other.nodes()).containsExactly("a", "b");
      assertThat(open("another").addresses()).isEmpty();
      one.withdraw("a");
      assertThat(other.addresses()).containsExactly("192.0.2.2:7800");
    }

    @Test
    void clustersHaveRowsOfTheirOwn() {
      rows().compareAndSet(0, new ClusterRow(1, List.of(), Map.of(), 0));
      Storage settings = database.emptySettings(folder, new Storage(true, true, 0, 512));
      try (SqlClusterRows other = SqlStores.clusterRows(settings, "other")) {
        assertThat(other.read()).isEqualTo(ClusterRow.EMPTY);
      }
    }
  }
}
