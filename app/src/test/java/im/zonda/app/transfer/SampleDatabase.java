package im.zonda.app.transfer;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.MariadbServer;
import im.zonda.testkit.database.PostgresqlServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// The database of another server with what three people have done, on each kind of database: as an
/// SQLite file, and its tables with the same types of columns on a database server.
public enum SampleDatabase {
  SQLITE,
  POSTGRESQL,
  MARIADB;

  private static final AtomicInteger CREATED = new AtomicInteger();

  private record Column(String name, String type) {}

  /// Those that the tests run on: MariaDB only if `zonda.test.mariadb` is set.
  public static List<SampleDatabase> all() {
    return Boolean.getBoolean("zonda.test.mariadb")
        ? List.of(values())
        : List.of(SQLITE, POSTGRESQL);
  }

  /// The SQLite file of a resource, which is one, or the statements that make one.
  ///
  /// @param folder where one is made
  public static Path file(String resource, Path folder) throws IOException, SQLException {
    Path path = path(resource);
    if (!resource.endsWith(".sql")) {
      return path;
    }
    Path made = folder.resolve(resource.replace('/', '-') + ".sqlite");
    if (!Files.exists(made)) {
      try (Connection connection = sqlite(made);
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        for (String sql : Files.readString(path).split(";\n", -1)) {
          if (!sql.isBlank()) {
            statement.execute(sql);
          }
        }
        connection.commit();
      }
    }
    return made;
  }

  private static Path path(String resource) {
    try {
      return Path.of(
          Objects.requireNonNull(ImportSource.class.getResource(resource), resource).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static Connection sqlite(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  /// Opens the database of a resource as this kind of database.
  public ForeignDatabase open(String resource, Path folder) throws IOException, SQLException {
    Path file = file(resource, folder);
    return switch (this) {
      case SQLITE -> ForeignDatabase.openFile(file, folder);
      case POSTGRESQL -> openServer(file, PostgresqlServer.shared());
      case MARIADB -> openServer(file, MariadbServer.shared());
    };
  }

  private ForeignDatabase openServer(Path file, DatabaseServer server)
      throws IOException, SQLException {
    String name = "sample" + CREATED.incrementAndGet();
    server.createDatabase(name);
    try (Connection from = sqlite(file);
        Connection to = server.connect(name);
        Statement statement = to.createStatement()) {
      for (String table : tables(from)) {
        List<Column> columns = columns(from, table);
        statement.execute("create table " + table + " (" + definitions(columns) + ")");
        copy(from, to, table, columns);
      }
      if (this == POSTGRESQL) {
        statement.execute("grant select on all tables in schema public to public");
      }
    }
    return ForeignDatabase.openServer(
        new Storage(true, true, 0, 512)
            .withDatabase(
                server.url(name), DatabaseServer.USER, DatabaseServer.PASSWORD, DatabaseTls.OFF));
  }

  private static List<String> tables(Connection from) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (Statement statement = from.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select name from sqlite_master where type = 'table'"
                    + " and name not like 'sqlite%'")) {
      while (rows.next()) {
        tables.add(rows.getString(1));
      }
    }
    return tables;
  }

  private static List<Column> columns(Connection from, String table) throws SQLException {
    List<Column> columns = new ArrayList<>();
    try (Statement statement = from.createStatement();
        ResultSet rows = statement.executeQuery("pragma table_info('" + table + "')")) {
      while (rows.next()) {
        columns.add(
            new Column(rows.getString("name"), rows.getString("type").toLowerCase(Locale.ROOT)));
      }
    }
    return columns;
  }

  private String definitions(List<Column> columns) {
    return String.join(
        ", ", columns.stream().map(each -> quoted(each.name) + " " + type(each.type)).toList());
  }

  /// The name as the server has it that was created without quotes.
  private String quoted(String column) {
    return this == MARIADB ? "`" + column + "`" : "\"" + column.toLowerCase(Locale.ROOT) + "\"";
  }

  private String type(String type) {
    if (type.equals("bytea")) {
      return this == MARIADB ? "mediumblob" : type;
    }
    if (isNumber(type)) {
      return "bigint";
    }
    if (type.startsWith("varbinary")) {
      return this == MARIADB ? type : "text";
    }
    return type.equals("boolean") || type.equals("json") || type.startsWith("char")
        ? type
        : this == MARIADB ? "mediumtext" : "text";
  }

  private static boolean isNumber(String type) {
    return type.contains("int") || type.equals("numeric");
  }

  private void copy(Connection from, Connection to, String table, List<Column> columns)
      throws SQLException {
    String marks = "?" + ", ?".repeat(columns.size() - 1);
    try (Statement statement = from.createStatement();
        ResultSet rows = statement.executeQuery("select * from " + table);
        PreparedStatement insert =
            to.prepareStatement("insert into " + table + " values (" + marks + ")")) {
      while (rows.next()) {
        for (int i = 0; i < columns.size(); i++) {
          set(insert, i + 1, columns.get(i).type, rows);
        }
        insert.executeUpdate();
      }
    }
  }

  private void set(PreparedStatement insert, int column, String type, ResultSet rows)
      throws SQLException {
    if (rows.getObject(column) == null) {
      insert.setNull(column, type.equals("bytea") ? Types.VARBINARY : Types.OTHER);
    } else if (type.equals("bytea")) {
      insert.setBytes(column, rows.getBytes(column));
    } else if (type.equals("boolean")) {
      insert.setBoolean(column, rows.getBoolean(column));
    } else if (isNumber(type)) {
      insert.setLong(column, rows.getLong(column));
    } else if (type.equals("json") && this == POSTGRESQL) {
      insert.setObject(column, rows.getString(column), Types.OTHER);
    } else {
      insert.setString(column, rows.getString(column));
    }
  }
}
