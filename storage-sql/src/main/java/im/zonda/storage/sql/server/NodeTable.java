package im.zonda.storage.sql.server;

import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The table `cluster_node`: the number of each node, and how often a process of it has opened the
/// database. The lock of the database must be held to add a node.
final class NodeTable {
  /// In place of a number: there is no free one.
  static final int NO_FREE_NUMBER = -1;

  private static final List<String> COLUMNS =
      List.of("number", "name", "generation", "next", "removals");

  private NodeTable() {}

  /// The number of the node with that name, which is added if there is none; [#NO_FREE_NUMBER] if
  /// all numbers are in use.
  static int number(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select number from cluster_node where name = ?")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          return row.getInt(1);
        }
      }
    }
    int free = free(connection);
    if (free != NO_FREE_NUMBER) {
      try (PreparedStatement statement =
          connection.prepareStatement(SqlSyntax.insert("cluster_node", COLUMNS, 1))) {
        statement.setInt(1, free);
        statement.setString(2, name);
        for (int column = 3; column <= COLUMNS.size(); column++) {
          statement.setLong(column, 0);
        }
        statement.executeUpdate();
      }
    }
    return free;
  }

  private static int free(Connection connection) throws SQLException {
    Set<Integer> used = numbers(connection);
    for (int number = 0; number < DatabaseLock.NODES; number++) {
      if (!used.contains(number)) {
        return number;
      }
    }
    return NO_FREE_NUMBER;
  }

  /// The numbers of all nodes that have ever used the database.
  static Set<Integer> numbers(Connection connection) throws SQLException {
    Set<Integer> used = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select number from cluster_node")) {
      while (row.next()) {
        used.add(row.getInt(1));
      }
    }
    return used;
  }

  /// Whether a member of the node is fenced.
  ///
  /// @param incarnation the member's number
  static boolean isFenced(Connection connection, int number, long incarnation) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select fenced from cluster_node where number = ?")) {
      statement.setInt(1, number);
      try (ResultSet row = statement.executeQuery()) {
        return incarnation > 0 && row.next() && row.getLong(1) >= incarnation;
      }
    }
  }

  /// Counts one more process of the node, which is not a member yet.
  static void raiseGeneration(Connection connection, int number) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update cluster_node set generation = generation + 1, incarnation = 0"
                + " where number = ?")) {
      statement.setInt(1, number);
      statement.executeUpdate();
    }
  }

  /// Counts a process that no node shares the database with.
  static void raiseGenerations(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("update cluster_node set generation = generation + 1");
    }
  }

  static long generation(Connection connection, int number) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select generation from cluster_node where number = ?")) {
      statement.setInt(1, number);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }
}
