package im.zonda.storage.sql.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The table `zonda_schema` with one row: the version of the schema, the oldest version whose
/// servers can use it, and how often a server has opened the database. A database without it is
/// empty or belongs to another application.
///
/// @param kind the kind of server
record SchemaTable(ServerKind kind) {
  private static final String NAME = "zonda_schema";
  private static final String CREATE =
      "create table zonda_schema (version integer not null, generation bigint not null,"
          + " oldest integer not null default 0)";

  /// For databases of servers that did not know the column; 0 stands for no older version.
  private static final String ADD_OLDEST =
      "alter table zonda_schema add column oldest integer not null default 0";

  private static final String INSERT =
      "insert into zonda_schema (version, generation) select 0, 0"
          + " where not exists (select 1 from zonda_schema)";

  /// What is wrong with the database, or null. Changes nothing.
  @Nullable String check(Connection connection) throws SQLException {
    Set<String> tables = tables(connection);
    if (!tables.contains(NAME)) {
      return tables.isEmpty() ? null : "has tables of another application";
    }
    int version = version(connection);
    int newest = kind.schema().newest();
    return version <= newest || isCompatible(connection)
        ? null
        : "was written by a newer version of this server (schema "
            + version
            + ", this one knows "
            + newest
            + "); start the newer version";
  }

  /// Whether servers of this version can use a database of a newer one.
  private boolean isCompatible(Connection connection) throws SQLException {
    long oldest = hasOldest(connection) ? number(connection, "select oldest from zonda_schema") : 0;
    return oldest > 0 && oldest <= kind.schema().newest();
  }

  private static boolean hasOldest(Connection connection) throws SQLException {
    try (ResultSet row =
        connection.getMetaData().getColumns(connection.getCatalog(), null, NAME, "oldest")) {
      return row.next();
    }
  }

  /// Creates the table unless it exists.
  void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!tables(connection).contains(NAME)) {
        statement.execute(CREATE);
      } else if (!hasOldest(connection)) {
        statement.execute(ADD_OLDEST);
      }
      statement.execute(INSERT);
    }
  }

  Set<String> tables(Connection connection) throws SQLException {
    Set<String> tables = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(kind.tables())) {
      while (row.next()) {
        tables.add(row.getString(1).toLowerCase(Locale.ROOT));
      }
    }
    return tables;
  }

  /// The version; 0 if there is no table.
  int version(Connection connection) throws SQLException {
    if (!tables(connection).contains(NAME)) {
      return 0;
    }
    return (int) number(connection, "select version from zonda_schema");
  }

  void record(Connection connection, int version, int oldest) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("update zonda_schema set version = ?, oldest = ?")) {
      statement.setInt(1, version);
      statement.setInt(2, oldest);
      statement.executeUpdate();
    }
  }

  /// Counts one more process that uses the database.
  void raiseGeneration(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("update zonda_schema set generation = generation + 1");
    }
  }

  long generation(Connection connection) throws SQLException {
    return number(connection, "select generation from zonda_schema");
  }

  /// The size of the database in bytes.
  long size(Connection connection) throws SQLException {
    return number(connection, kind.size());
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
