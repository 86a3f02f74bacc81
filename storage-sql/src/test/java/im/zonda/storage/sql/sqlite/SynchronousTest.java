package im.zonda.storage.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Only the databases of tests do not wait for the disk.
class SynchronousTest {
  private static final int OFF = 0;
  private static final int FULL = 2;

  @TempDir private Path folder;

  private int modeOf(SqliteDialect dialect) throws SQLException {
    try (Connection connection = dialect.take();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("pragma synchronous")) {
      return row.getInt(1);
    }
  }

  @Test
  void everyCommitIsOnTheDisk() throws SQLException {
    assertThat(modeOf(new SqliteDialect(folder.resolve("zonda.db"), each -> each))).isEqualTo(FULL);
  }

  @Test
  void aDatabaseForTestsDoesNotWait() throws SQLException {
    assertThat(modeOf(SqliteDialect.withoutSync(folder.resolve("zonda.db")))).isEqualTo(OFF);
  }
}
