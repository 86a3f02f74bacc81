package im.zonda.storage.sql.sqlite;

import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.database.Fault;
import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.database.SqlFailures;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteJDBCLoader;

/// SQLite: one file, one connection that writes, and a few that read.
public final class SqliteDialect implements Dialect {
  /// The application id in the header of the database file: "ZOND".
  static final int APPLICATION_ID = 0x5A4F4E44;

  private static final List<String> MIGRATIONS =
      List.of(
          "V001__accounts_rosters_values_messages.sql",
          "V002__archive.sql",
          "V003__rooms.sql",
          "V004__room_creators.sql",
          "V005__shared_rows_and_packed_index.sql",
          "V006__cluster_nodes.sql",
          "V007__origins.sql",
          "V008__cluster_settings.sql",
          "V009__pubsub.sql",
          "V010__pubsub_service.sql",
          "V011__pubsub_collections.sql",
          "V012__uploads.sql",
          "V013__item_order.sql",
          "V014__removed_accounts.sql",
          "V015__removed_rooms.sql",
          "V016__audit.sql",
          "V017__lists.sql",
          "V018__disabled.sql",
          "V019__journal.sql",
          "V020__history.sql",
          "V022__traces.sql");

  /// The schema migrations.
  public static final Schema SCHEMA = new Schema("schema/sqlite/", MIGRATIONS);

  /// Changes nothing, but makes the transaction that it begins a writing one. SQLite waits for
  /// another's lock only at the beginning of a transaction; one that has read before it writes
  /// fails at once, also when a reader has the lock for a moment to read the index of the
  /// write-ahead log.
  private static final String BEGIN_WRITING = "update message_id set next = next where one = 0";

  /// The pragmas of every connection, followed by those of the writer.
  private static final List<String> WRITER_PRAGMAS =
      List.of(
          "pragma journal_mode = wal",
          "pragma foreign_keys = on",
          "pragma temp_store = memory",
          "pragma cache_size = -8000", // KiB
          "pragma wal_autocheckpoint = 4000", // pages of 4 KiB
          "pragma journal_size_limit = 67108864");

  private static final List<String> READER_PRAGMAS =
      List.of("pragma temp_store = memory", "pragma cache_size = -2000");

  private static final String TABLES =
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%'";

  private static final int READERS = 2;
  private static final int BUSY_MILLIS = 2_000;

  private final Path file;
  private final UnaryOperator<Connection> wrapper;
  private final SQLiteConfig.SynchronousMode synchronous;
  private final SqlSyntax syntax = new SqliteSyntax();

  /// @param file the database file
  /// @param wrapper wraps each connection; tests inject faults with it
  public SqliteDialect(Path file, UnaryOperator<Connection> wrapper) {
    this(file, wrapper, SQLiteConfig.SynchronousMode.FULL);
  }

  private SqliteDialect(
      Path file, UnaryOperator<Connection> wrapper, SQLiteConfig.SynchronousMode synchronous) {
    this.file = file;
    this.wrapper = wrapper;
    this.synchronous = synchronous;
  }

  /// A database that never waits for the disk, for tests: what it has committed survives the end of
  /// the process, but not that of the machine.
  public static SqliteDialect withoutSync(Path file) {
    return new SqliteDialect(file, UnaryOperator.identity(), SQLiteConfig.SynchronousMode.OFF);
  }

  /// The database file.
  public Path file() {
    return file;
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public String product() {
    return "SQLite " + SQLiteJDBCLoader.getVersion();
  }

  @Override
  public int readers() {
    return READERS;
  }

  @Override
  public String readerIsolation() {
    return "TRANSACTION_SERIALIZABLE";
  }

  @Override
  public SqlSyntax syntax() {
    return syntax;
  }

  @Override
  public Connection take() throws SQLException {
    new DatabaseFile(this).prepare();
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    // The driver would read the last row id after each insert.
    config.setGetGeneratedKeys(false);
    config.setSynchronous(synchronous);
    return prepared(config, WRITER_PRAGMAS);
  }

  @Override
  public void upgrade(Connection connection, Schema.Progress progress) throws SQLException {
    SCHEMA.migrate(connection, this, progress);
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public boolean exists() {
    return new DatabaseFile(this).exists();
  }

  /// Without those of SQLite itself.
  @Override
  public Set<String> tables(Connection connection) throws SQLException {
    Set<String> tables = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(TABLES)) {
      while (row.next()) {
        tables.add(row.getString(1).toLowerCase(Locale.ROOT));
      }
    }
    return tables;
  }

  @Override
  public long size(Connection connection) {
    return new DatabaseFile(this).size();
  }

  /// Only the lock of the data folder tells.
  @Override
  public boolean isTaken(Connection connection) {
    return false;
  }

  @Override
  public void allowLongCalls(Connection connection) {
    // Calls have no limit.
  }

  @Override
  public String beginWriting() {
    return BEGIN_WRITING;
  }

  @Override
  public Connection openReader() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setReadOnly(true);
    return prepared(config, READER_PRAGMAS);
  }

  /// A platform thread, because a call into SQLite would pin a virtual thread.
  @Override
  public Thread newReaderThread(String name, Runnable task) {
    return Thread.ofPlatform().name(name).daemon().unstarted(task);
  }

  /// Creates an empty database with the application id and without a write-ahead log.
  public Connection create(Path fresh) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setApplicationId(APPLICATION_ID);
    config.setSynchronous(synchronous);
    return wrapper.apply(config.createConnection("jdbc:sqlite:" + fresh));
  }

  private Connection prepared(SQLiteConfig config, List<String> pragmas) throws SQLException {
    Connection connection = wrapper.apply(config.createConnection("jdbc:sqlite:" + file));
    try (Statement statement = connection.createStatement()) {
      for (String pragma : pragmas) {
        statement.execute(pragma);
      }
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /// Rolls back. SQLite may have rolled back already, as it does when the disk is full or fails;
  /// the driver does not know that, so a transaction is begun for it to roll back.
  @Override
  public Connection recover(Connection failed) throws SQLException {
    try {
      failed.rollback();
    } catch (SQLException e) {
      try (Statement statement = failed.createStatement()) {
        statement.execute("begin"); // fails inside a transaction
      } catch (SQLException begin) {
        e.addSuppressed(begin);
        throw e;
      }
    }
    return failed;
  }

  /// Writes the content of the write-ahead log into the database file.
  @Override
  public void beforeClose(Connection writer) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute("pragma wal_checkpoint(truncate)");
    }
  }

  @Override
  public void check(Connection connection) throws SQLException {
    new DatabaseFile(this).check(connection);
  }

  @Override
  public int schemaVersion(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("pragma user_version")) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  /// A file of a newer version is never used: only one server has it, and a backup leads back.
  @Override
  public void recordSchemaVersion(Connection connection, int version, int oldest)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // A pragma takes no parameters; the number is not user input.
      statement.execute("pragma user_version = " + version);
    }
  }

  @Override
  public Fault fault(Throwable failure) {
    SQLException sql = SqlFailures.find(failure);
    if (sql == null) {
      return Fault.OPERATION;
    }
    return switch (primaryCode(sql)) {
      case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE -> Fault.OPERATION;
      case SQLITE_FULL,
          SQLITE_IOERR,
          SQLITE_BUSY,
          SQLITE_LOCKED,
          SQLITE_PROTOCOL,
          SQLITE_READONLY,
          SQLITE_CANTOPEN,
          SQLITE_PERM,
          SQLITE_AUTH,
          SQLITE_CORRUPT,
          SQLITE_NOTADB ->
          Fault.DATABASE;
      default -> Fault.UNKNOWN;
    };
  }

  /// Whether the failure of a check means that the database is damaged. An SQL error is damage too:
  /// it can only come from the table definitions in the file.
  boolean isDamage(SQLException failure) {
    return primaryCode(failure) == SQLiteErrorCode.SQLITE_ERROR
        || exception(failure).category() == StoreException.Category.DAMAGED;
  }

  /// A commit that fails is rolled back.
  @Override
  public boolean isCommitUnknown(Throwable failure) {
    return false;
  }

  /// After a failed flush, written data may be lost without further errors: the kernel may drop
  /// dirty pages and report success the next time.
  @Override
  public boolean isFinal(Throwable failure) {
    return SqlFailures.find(failure) instanceof SQLiteException sqlite
        && (sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_FSYNC
            || sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_DIR_FSYNC);
  }

  @Override
  public SQLException stopped() {
    return new SQLException(
        "the disk failed to flush; nothing is written until the server is started again");
  }

  @Override
  public StoreException exception(Throwable failure) {
    if (failure instanceof StoreException already) {
      return already;
    }
    SQLException sql = SqlFailures.find(failure);
    if (sql == null) {
      return new StoreException(
          StoreException.Category.UNAVAILABLE, file + ": " + failure, failure);
    }
    StoreException.Category category =
        switch (primaryCode(sql)) {
          case SQLITE_FULL -> StoreException.Category.FULL;
          case SQLITE_CORRUPT, SQLITE_NOTADB -> StoreException.Category.DAMAGED;
          default -> StoreException.Category.UNAVAILABLE;
        };
    return new StoreException(category, file + ": " + sql.getMessage(), failure);
  }

  private static SQLiteErrorCode primaryCode(SQLException failure) {
    return SQLiteErrorCode.getErrorCode(failure.getErrorCode() & 0xff);
  }
}
