package im.zonda.storage.sql.versions;

import im.zonda.config.Storage;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.copy.FilledStores;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.mariadb.Mariadb;
import im.zonda.storage.sql.postgresql.Postgresql;
import im.zonda.storage.sql.server.DatabaseAddress;
import im.zonda.storage.sql.server.ServerKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/// The content of a database on a server as SQL: the statements that have made its tables, and one
/// for each row. Two dumps of the same content are equal.
final class DatabaseDump {
  /// The table that a server creates before the migrations. A difference is found by comparing a
  /// loaded dump with a new database.
  private static final String SCHEMA_TABLE =
      "create table zonda_schema (version integer not null, generation bigint not null,"
          + " oldest integer not null default 0)";

  private final TestDatabase database;
  private final Path folder;
  private final StringBuilder sql = new StringBuilder();

  private DatabaseDump(TestDatabase database, Path folder) {
    this.database = database;
    this.folder = folder;
  }

  /// The database of a folder.
  static String of(TestDatabase database, Path folder) throws SQLException {
    DatabaseDump dump = new DatabaseDump(database, folder);
    dump.write();
    return dump.sql.toString();
  }

  /// Executes a dump in the database of a folder, which has no tables.
  static void load(TestDatabase database, Path folder, String dump) throws SQLException {
    Storage settings = FilledStores.settings(database, folder);
    boolean postgresql = database == TestDatabase.POSTGRESQL;
    ServerKind kind = postgresql ? new Postgresql() : new Mariadb();
    int port = postgresql ? Postgresql.PORT : Mariadb.PORT;
    // As the server's user, whose tables they are to be.
    try (Connection connection = kind.connect(DatabaseAddress.of(settings, port));
        Statement statement = connection.createStatement()) {
      kind.prepareWriter(connection);
      for (String sql : dump.split(";\n", -1)) {
        if (!sql.isBlank()) {
          statement.execute(sql);
        }
      }
    }
  }

  private void write() throws SQLException {
    Dialect dialect = database.dialect(folder);
    add(SCHEMA_TABLE);
    for (int version = 1; version <= dialect.schema().newest(); version++) {
      dialect.schema().statements(version).forEach(this::add);
    }
    try (Connection connection = database.connect(folder)) {
      for (String table : parentsFirst(connection, dialect.tables(connection))) {
        writeRows(connection, table);
      }
      long last = database.number(folder, dialect.syntax().lastOwnerId());
      dialect.syntax().continueOwnerIds(last).forEach(this::add);
    }
  }

  private void add(String statement) {
    sql.append(statement.strip()).append(";\n");
  }

  /// The tables, those that others refer to first.
  private static List<String> parentsFirst(Connection connection, Set<String> tables)
      throws SQLException {
    Set<String> left = new TreeSet<>(tables);
    List<String> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      for (String table : List.copyOf(left)) {
        Set<String> missing = parents(connection, table);
        missing.remove(table);
        missing.retainAll(left);
        if (missing.isEmpty()) {
          ordered.add(table);
          left.remove(table);
        }
      }
    }
    return ordered;
  }

  private static Set<String> parents(Connection connection, String table) throws SQLException {
    Set<String> parents = new HashSet<>();
    try (ResultSet row =
        connection.getMetaData().getImportedKeys(connection.getCatalog(), null, table)) {
      while (row.next()) {
        parents.add(row.getString("PKTABLE_NAME").toLowerCase(Locale.ROOT));
      }
    }
    return parents;
  }

  /// Writes the rows of a table in place of those that a new database has.
  private void writeRows(Connection connection, String table) throws SQLException {
    List<String> inserts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select * from " + table)) {
      String quote = connection.getMetaData().getIdentifierQuoteString();
      while (row.next()) {
        inserts.add(insert(table, row, quote));
      }
    }
    if (!inserts.isEmpty()) {
      add("delete from " + table);
      inserts.stream().sorted().forEach(this::add);
    }
  }

  private String insert(String table, ResultSet row, String quote) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(quote + columns.getColumnName(i) + quote);
      values.add(literal(row, i, columns.getColumnType(i)));
    }
    return "insert into "
        + table
        + " ("
        + String.join(", ", names)
        + (database == TestDatabase.POSTGRESQL ? ") overriding system value" : ")")
        + " values ("
        + String.join(", ", values)
        + ")";
  }

  private String literal(ResultSet row, int column, int type) throws SQLException {
    if (row.getObject(column) == null) {
      return "null";
    }
    boolean postgresql = database == TestDatabase.POSTGRESQL;
    return switch (type) {
      case Types.SMALLINT, Types.INTEGER, Types.BIGINT -> Long.toString(row.getLong(column));
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> {
        String hex = HexFormat.of().formatHex(row.getBytes(column));
        yield postgresql ? "'\\x" + hex + "'" : "x'" + hex + "'";
      }
      default -> (postgresql ? "E'" : "'") + escaped(row.getString(column)) + "'";
    };
  }

  /// On one line: a semicolon at the end of a line ends a statement.
  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n").replace("\r", "\\r");
  }
}
