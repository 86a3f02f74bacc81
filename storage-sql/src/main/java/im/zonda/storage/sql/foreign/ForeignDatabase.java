package im.zonda.storage.sql.foreign;

import im.zonda.config.Storage;
import im.zonda.storage.sql.mariadb.Mariadb;
import im.zonda.storage.sql.postgresql.Postgresql;
import im.zonda.storage.sql.server.DatabaseAddress;
import im.zonda.storage.sql.server.ServerKind;
import im.zonda.storage.sql.sqlite.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/// A database of another server, read within one transaction. Names in double quotes are names of
/// columns on every kind of database. Confined to one thread; calls block.
///
/// Failures are `IOException`s whose messages name the database.
public final class ForeignDatabase implements AutoCloseable {
  private static final int FETCHED = 500;

  /// The maximum time until the first row of a query: a whole archive may be sorted for it.
  private static final int LONGEST_WAIT_MILLIS = 3_600_000;

  // What is read is one state of the database. The drivers would set that nothing is written for
  // some kinds of connections only.

  private static final List<String> POSTGRESQL_SESSION =
      List.of(
          "set statement_timeout = 0",
          "set session characteristics as transaction isolation level repeatable read, read only");

  /// MySQL understands them, too; it has not all that the sessions of the stores set.
  private static final List<String> MARIADB_SESSION =
      List.of(
          "set names utf8mb4",
          "set sql_mode = 'ANSI_QUOTES'",
          "set session transaction isolation level repeatable read, read only");

  private final String name;
  private final Connection connection;
  private final Map<String, Set<String>> tables;

  private ForeignDatabase(String name, Connection connection, Map<String, Set<String>> tables) {
    this.name = name;
    this.connection = connection;
    this.tables = tables;
  }

  /// A row of a result. The columns count from 1.
  public interface Row {
    /// A text, or null.
    @Nullable String text(int column) throws IOException;

    /// A number; 0 for null.
    long number(int column) throws IOException;

    /// Bytes, or null.
    byte @Nullable [] bytes(int column) throws IOException;
  }

  /// Takes a row.
  @FunctionalInterface
  public interface Rows {
    /// Takes a row, which is valid during the call.
    ///
    /// @return false if no more are wanted
    boolean row(Row row) throws IOException;
  }

  /// Opens an SQLite file.
  ///
  /// @param data the data folder of this server, in which the driver keeps its library
  /// @throws IOException if it is none
  public static ForeignDatabase openFile(Path file, Path data) throws IOException {
    if (Files.isDirectory(data)) {
      NativeLibrary.keepIn(data);
    }
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    try {
      return open(file.toString(), config.createConnection("jdbc:sqlite:" + file));
    } catch (SQLException e) {
      throw failure(file.toString(), e);
    }
  }

  /// Opens a database on a server.
  ///
  /// @param settings its URL, user, password and TLS; other settings are not used
  public static ForeignDatabase openServer(Storage settings) throws IOException {
    boolean postgresql = settings.url().startsWith("postgresql:");
    ServerKind kind = postgresql ? new Postgresql() : new Mariadb();
    DatabaseAddress address =
        DatabaseAddress.of(settings, postgresql ? Postgresql.PORT : Mariadb.PORT);
    try {
      Connection connection = kind.connect(address);
      try {
        connection.setNetworkTimeout(Runnable::run, LONGEST_WAIT_MILLIS);
        try (Statement statement = connection.createStatement()) {
          for (String sql : postgresql ? POSTGRESQL_SESSION : MARIADB_SESSION) {
            statement.execute(sql);
          }
        }
        return open(address.toString(), connection);
      } catch (SQLException | IOException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw failure(address.toString(), e);
    }
  }

  private static ForeignDatabase open(String name, Connection connection)
      throws SQLException, IOException {
    connection.setAutoCommit(false);
    Map<String, Set<String>> tables = new HashMap<>();
    DatabaseMetaData data = connection.getMetaData();
    try (ResultSet rows =
        data.getColumns(connection.getCatalog(), connection.getSchema(), "%", "%")) {
      while (rows.next()) {
        tables
            .computeIfAbsent(lower(rows.getString("TABLE_NAME")), table -> new HashSet<>())
            .add(lower(rows.getString("COLUMN_NAME")));
      }
    }
    return new ForeignDatabase(name, connection, tables);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /// The address or file of the database.
  public String name() {
    return name;
  }

  /// Whether there is a table.
  ///
  /// @param table in lower case
  public boolean hasTable(String table) {
    return tables.containsKey(table);
  }

  /// Whether a table has a column.
  ///
  /// @param table in lower case
  /// @param column in lower case
  public boolean hasColumn(String table, String column) {
    return tables.getOrDefault(table, Set.of()).contains(column);
  }

  /// Runs a query and passes on its rows, of which a bounded number is in memory.
  ///
  /// @param parameters texts, and numbers as `Long`
  public void query(String sql, Rows rows, Object... parameters) throws IOException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setFetchSize(FETCHED);
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet result = statement.executeQuery()) {
        Row row = new ResultRow(result);
        boolean wanted = true;
        while (wanted && result.next()) {
          wanted = rows.row(row);
        }
      }
    } catch (SQLException e) {
      throw failure(name, e);
    }
  }

  /// The first number of a query; 0 if it finds none.
  public long number(String sql, Object... parameters) throws IOException {
    long[] found = new long[1];
    query(
        sql,
        row -> {
          found[0] = row.number(1);
          return false;
        },
        parameters);
    return found[0];
  }

  private static IOException failure(String name, SQLException cause) {
    return new IOException(name + ": " + cause.getMessage(), cause);
  }

  private final class ResultRow implements Row {
    private final ResultSet result;

    ResultRow(ResultSet result) {
      this.result = result;
    }

    @Override
    public @Nullable String text(int column) throws IOException {
      try {
        return result.getString(column);
      } catch (SQLException e) {
        throw failure(name, e);
      }
    }

    @Override
    public long number(int column) throws IOException {
      try {
        return result.getLong(column);
      } catch (SQLException e) {
        throw failure(name, e);
      }
    }

    @Override
    public byte @Nullable [] bytes(int column) throws IOException {
      try {
        return result.getBytes(column);
      } catch (SQLException e) {
        throw failure(name, e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (!connection.isClosed()) {
        connection.rollback();
        connection.close();
      }
    } catch (SQLException e) {
      throw failure(name, e);
    }
  }
}
