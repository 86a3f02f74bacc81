package im.zonda.storage.sql.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// The table `cluster_setting`: what the nodes of a cluster have in common. The lock of the
/// database must be held to write.
final class SettingTable {
  /// The secret of all nodes, in hexadecimal digits. It stays for ever.
  static final String SECRET = "secret";

  /// The `storage.full-text` of the nodes that run.
  static final String FULL_TEXT = "full-text";

  private static final String READ = "select value from cluster_setting where name = ?";
  private static final String UPDATE = "update cluster_setting set value = ? where name = ?";
  private static final String INSERT =
      "insert into cluster_setting (value, name, id)"
          + " select ?, ?, coalesce(max(id), 0) + 1 from cluster_setting";

  private SettingTable() {}

  /// A value; null if there is none.
  static @Nullable String read(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  static void write(Connection connection, String name, String value) throws SQLException {
    if (execute(connection, UPDATE, name, value) == 0) {
      execute(connection, INSERT, name, value);
    }
  }

  private static int execute(Connection connection, String sql, String name, String value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, value);
      statement.setString(2, name);
      return statement.executeUpdate();
    }
  }
}
