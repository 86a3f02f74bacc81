package im.zonda.storage.sql.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// The table `cluster_address`: where the nodes of a cluster can be reached. A node that is killed
/// leaves its row behind.
final class AddressTable {
  private static final String READ =
      "select address from cluster_address where cluster = ? order by node";
  private static final String NODES =
      "select node from cluster_address where cluster = ? order by node";
  private static final String UPDATE =
      "update cluster_address set address = ? where cluster = ? and node = ?";
  private static final String INSERT =
      "insert into cluster_address (address, cluster, node) values (?, ?, ?)";
  private static final String DELETE = "delete from cluster_address where cluster = ? and node = ?";

  private AddressTable() {}

  static List<String> read(Connection connection, String cluster) throws SQLException {
    return read(connection, READ, cluster);
  }

  /// The names of the nodes.
  static List<String> nodes(Connection connection, String cluster) throws SQLException {
    return read(connection, NODES, cluster);
  }

  private static List<String> read(Connection connection, String sql, String cluster)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, cluster);
      List<String> texts = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          texts.add(row.getString(1));
        }
      }
      return texts;
    }
  }

  /// Records the address of a node, of which one process runs at a time.
  static void put(Connection connection, String cluster, String node, String address)
      throws SQLException {
    if (execute(connection, UPDATE, address, cluster, node) == 0) {
      execute(connection, INSERT, address, cluster, node);
    }
  }

  static void remove(Connection connection, String cluster, String node) throws SQLException {
    execute(connection, DELETE, cluster, node);
  }

  private static int execute(Connection connection, String sql, String... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }
}
