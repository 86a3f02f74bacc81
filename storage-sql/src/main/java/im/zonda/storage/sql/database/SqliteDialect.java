package im.zonda.storage.sql.database;

import im.zonda.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Everything specific to SQLite: connections, errors and non-standard SQL. All other SQL of the
/// stores is standard.
public final class SqliteDialect {
  /// The application id in the header of the database file: "ZOND".
  static final int APPLICATION_ID = 0x5A4F4E44;

  /// The folder and the names of the schema migrations.
  public static final List<String> MIGRATIONS =
      List.of(
          "V001__accounts_rosters_values_messages.sql",
          "V002__archive.sql",
          "V003__rooms.sql",
          "V004__room_creators.sql");

  public static final String MIGRATION_FOLDER = "schema/sqlite/";

  /// Sets a value or replaces it.
  public static final String PUT_VALUE =
      """
      insert into key_value (owner_id, store, key, value) values (?, ?, ?, ?)
      on conflict (owner_id, store, key) do update set value = excluded.value
      """;

  /// Adds an account unless it exists.
  public static final String ADD_ACCOUNT =
      """
      insert into account (domain, local, created) values (?, ?, ?)
      on conflict (domain, local) do nothing
      """;

  /// Adds or replaces a roster item.
  public static final String PUT_ROSTER_ITEM =
      """
      insert into roster_item
        (owner_id, jid, name, subscription, ask, approved, listed, groups, request)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (owner_id, jid) do update set
        name = excluded.name, subscription = excluded.subscription, ask = excluded.ask,
        approved = excluded.approved, listed = excluded.listed, groups = excluded.groups,
        request = excluded.request
      """;

  /// Sets a roster's version.
  public static final String PUT_ROSTER_VERSION =
      """
      insert into roster_version (owner_id, version) values (?, ?)
      on conflict (owner_id) do update set version = excluded.version
      """;

  /// Adds or replaces a room.
  public static final String PUT_ROOM =
      """
      insert into room
        (owner_id, domain, local, created, persistent, listed, name, settings, folded, creator)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (owner_id) do update set
        created = excluded.created, persistent = excluded.persistent, listed = excluded.listed,
        name = excluded.name, settings = excluded.settings, folded = excluded.folded,
        creator = excluded.creator
      """;

  /// Adds or replaces a user's affiliation with a room.
  public static final String PUT_AFFILIATION =
      """
      insert into room_affiliation (owner_id, jid, affiliation, nick, reason)
      values (?, ?, ?, ?, ?)
      on conflict (owner_id, jid) do update set
        affiliation = excluded.affiliation, nick = excluded.nick, reason = excluded.reason
      """;

  /// Public rooms whose name or local part contains a text, in order.
  public static final String LISTED_ROOMS =
      """
      select local, created, persistent, listed, name, settings, creator from room
      where domain = ? and local > ? and listed = 1 and instr(folded, ?) > 0
      order by local limit ?
      """;

  /// Marks an archived entry of an owner as delivered.
  public static final String OWNED_MESSAGE_DELIVERED =
      "update message set waiting = 0 where owner_id = ? and id = ? and waiting = 1";

  /// Deletes a delivered entry of an owner that is not archived.
  public static final String OWNED_MESSAGE_ENDED =
      "delete from message where owner_id = ? and id = ? and archive = 0";

  /// Adds the words of an archived entry.
  public static final String ADD_WORDS = "insert into archive_text (rowid, words) values (?, ?)";

  /// Changes nothing, but makes the transaction that it begins a writing one. SQLite waits for
  /// another's lock only at the beginning of a transaction; one that has read before it writes
  /// fails at once, also when a reader has the lock for a moment to read the index of the
  /// write-ahead log.
  public static final String BEGIN_WRITING = "update message_id set next = next where one = 0";

  /// The pragmas of every connection, followed by those of the writer.
  private static final List<String> WRITER_PRAGMAS =
      List.of(
          "pragma journal_mode = wal",
          "pragma synchronous = full",
          "pragma foreign_keys = on",
          "pragma temp_store = memory",
          "pragma cache_size = -8000", // KiB
          "pragma wal_autocheckpoint = 4000", // pages of 4 KiB
          "pragma journal_size_limit = 67108864");

  private static final List<String> READER_PRAGMAS =
      List.of("pragma temp_store = memory", "pragma cache_size = -2000");

  private static final int BUSY_MILLIS = 2_000;

  private final Path file;
  private final UnaryOperator<Connection> wrapper;

  /// @param file the database file
  /// @param wrapper wraps each connection; tests inject faults with it
  public SqliteDialect(Path file, UnaryOperator<Connection> wrapper) {
    this.file = file;
    this.wrapper = wrapper;
  }

  /// The database file.
  public Path file() {
    return file;
  }

  /// Opens the connection that writes.
  public Connection openWriter() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    return prepared(config, WRITER_PRAGMAS);
  }

  /// Opens a connection that cannot write.
  Connection openReader() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setReadOnly(true);
    return prepared(config, READER_PRAGMAS);
  }

  /// Creates an empty database with the application id and without a write-ahead log.
  public Connection create(Path fresh) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setApplicationId(APPLICATION_ID);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
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
  public void rollback(Connection connection) throws SQLException {
    try {
      connection.rollback();
    } catch (SQLException e) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("begin"); // fails inside a transaction
      } catch (SQLException begin) {
        e.addSuppressed(begin);
        throw e;
      }
    }
  }

  /// Writes the content of the write-ahead log into the database file.
  public void beforeClose(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("pragma wal_checkpoint(truncate)");
    }
  }

  /// The statement that inserts `rows` rows of the message log.
  public String insertMessages(int rows) {
    return "insert into message (id, owner_id, peer, waiting, archive, stanza, checksum) values "
        + parameters("(?, ?, ?, ?, ?, ?, ?)", rows);
  }

  /// The statement that marks archived entries as delivered.
  public String messagesDelivered(int ids) {
    return "update message set waiting = 0 where waiting = 1 and id in ("
        + parameters("?", ids)
        + ")";
  }

  /// The statement that deletes delivered entries that are not archived.
  public String messagesEnded(int ids) {
    return "delete from message where archive = 0 and id in (" + parameters("?", ids) + ")";
  }

  /// The statement that inserts rows of the archive by time; existing rows are kept.
  public String insertArchiveTimes(int rows) {
    return "insert or ignore into archive_time (owner_id, id) values " + parameters("(?, ?)", rows);
  }

  /// The statement that inserts rows of the archive by other party; existing rows are kept.
  public String insertArchivePeers(int rows) {
    return "insert or ignore into archive_peer (owner_id, peer, id, resource) values "
        + parameters("(?, ?, ?, ?)", rows);
  }

  private static String parameters(String one, int count) {
    return one + (", " + one).repeat(count - 1);
  }

  /// Whether the failure is an outage: the database cannot store anything, as opposed to a failure
  /// of one statement.
  public boolean isOutage(Throwable failure) {
    SQLException sql = sqlException(failure);
    if (sql == null) {
      return false;
    }
    return switch (primaryCode(sql)) {
      case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE -> false;
      default -> true;
    };
  }

  /// Whether the failure of a check means that the database is damaged. An SQL error is damage too:
  /// it can only come from the table definitions in the file.
  boolean isDamage(SQLException failure) {
    return primaryCode(failure) == SQLiteErrorCode.SQLITE_ERROR
        || exception(failure).category() == StoreException.Category.DAMAGED;
  }

  /// Whether a flush to disk failed: written data may be lost without further errors.
  public boolean isFlushFailure(Throwable failure) {
    return sqlException(failure) instanceof SQLiteException sqlite
        && (sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_FSYNC
            || sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_DIR_FSYNC);
  }

  /// The exception for every write after a failed flush.
  public static SQLException stopped() {
    return new SQLiteException(
        "the disk failed to flush; nothing is written until the server is started again",
        SQLiteErrorCode.SQLITE_IOERR);
  }

  /// Converts a failure to the exception that the callers of the stores get.
  public StoreException exception(Throwable failure) {
    if (failure instanceof StoreException already) {
      return already;
    }
    SQLException sql = sqlException(failure);
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

  private static @Nullable SQLException sqlException(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }
}
