package im.zonda.storage.sql;

import im.zonda.config.Storage;
import im.zonda.storage.sql.BackupListener.Stage;
import im.zonda.storage.sql.BackupListener.Unit;
import im.zonda.storage.sql.copy.CopyListener;
import im.zonda.storage.sql.copy.DatabaseCopy;
import im.zonda.storage.sql.copy.PortionSize;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.sqlite.SqliteDialect;
import im.zonda.storage.sql.sqlite.SqliteSnapshot;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;

/// Backups of the database of a configuration. Each is an SQLite file of the current schema,
/// whatever kind the database is.
///
/// All work is done on a platform thread, because SQLite pins virtual threads; the caller waits. A
/// caller that is interrupted ends the work.
///
/// @param data the data folder
/// @param settings the database
public record DatabaseBackup(Path data, Storage settings) {
  private static final String UPLOADS =
      "select hash, max(size) from upload group by hash order by hash";

  private static final String STAGED = "zonda-restored.db";
  private static final String UNFINISHED = ".unfinished";

  /// Receives the contents that uploaded files have.
  @FunctionalInterface
  public interface Uploads {
    /// A content.
    ///
    /// @param hash of the content
    /// @param size in bytes
    void found(String hash, long size) throws IOException;
  }

  private interface Work {
    void run() throws IOException;
  }

  /// Writes a copy of the database with all that was committed before the call. A server may use
  /// and change the database.
  ///
  /// @param file is created; must not exist
  /// @throws StoreException if a database cannot be used; `FULL` if there is no room. The file is
  ///   not usable then
  public void write(Path file, BackupListener listener) {
    Dialect dialect = dialect(settings);
    if (!dialect.exists()) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, "there is no database " + dialect.name(), null);
    }
    BackupListener interruptible = interruptible(listener);
    onPlatformThread(() -> {
      if (dialect instanceof SqliteDialect sqlite) {
        new SqliteSnapshot(
                sqlite,
                file,
                (done, all) -> interruptible.advanced(Stage.DATABASE, done, all, Unit.BYTES))
            .write();
      } else {
        SqliteDialect target = file(file);
        DatabaseCopy.Result _ =
            DatabaseCopy.ofSnapshot(dialect, target, steps(interruptible)).run();
        finish(target);
      }
    });
  }

  /// Makes the target of a copy a single file, as `VACUUM INTO` writes it.
  private static void finish(SqliteDialect target) {
    try (Connection connection = target.open();
        Statement statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = delete");
    } catch (SQLException e) {
      throw target.exception(e);
    }
  }

  /// What a backup has. Changes nothing.
  ///
  /// @throws StoreException if it cannot be read
  public static DatabaseStatus read(Path file) {
    SqliteDialect dialect = file(file);
    try (Connection connection = dialect.openReader()) {
      return new DatabaseStatusQuery(dialect, connection, false).read();
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  /// Checks the structure of a backup. Takes seconds for each gigabyte. Changes nothing.
  ///
  /// @throws StoreException `DAMAGED` with the first defect found
  public static void check(Path file) {
    SqliteDialect dialect = file(file);
    onPlatformThread(() -> {
      try (Connection connection = dialect.openReader()) {
        dialect.check(connection);
      } catch (SQLException e) {
        throw dialect.exception(e);
      }
    });
  }

  /// Finds the contents of all uploaded files that a backup names, each once.
  public static void uploads(Path file, Uploads uploads) throws IOException {
    SqliteDialect dialect = file(file);
    try (Connection connection = dialect.openReader()) {
      if (!dialect.tables(connection).contains("upload")) {
        return; // of a version that had none
      }
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(UPLOADS)) {
        while (row.next()) {
          uploads.found(row.getString(1), row.getLong(2));
        }
      }
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  /// Makes a backup the database of the configuration, upgraded to the schema of this version if
  /// that is a server's. This process must have locked the data folder. A restoration that has
  /// failed can be begun again.
  ///
  /// @throws StoreException if the database is not empty, or the backup is of a newer version;
  ///   nothing is changed then
  public void restore(Path file, BackupListener listener) {
    Dialect dialect = dialect(settings);
    DatabaseStatus status = read(file);
    if (status.schema() > status.newestSchema()) {
      throw new StoreException(
          StoreException.Category.DAMAGED,
          file
              + " was written by a newer version of this server (schema "
              + status.schema()
              + ", this one knows "
              + status.newestSchema()
              + "); restore it with that one",
          null);
    }
    BackupListener interruptible = interruptible(listener);
    onPlatformThread(() -> {
      if (dialect instanceof SqliteDialect sqlite) {
        restore(file, sqlite.file(), interruptible);
      } else {
        restore(file, dialect, interruptible);
      }
    });
  }

  private static void restore(Path file, Path target, BackupListener listener) throws IOException {
    if (Files.exists(target)) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, target + " exists; it was not changed", null);
    }
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    Path folder = target.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    SqliteSnapshot.copyFile(file, unfinished);
    Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    listener.advanced(Stage.DATABASE, Files.size(file), Files.size(file), Unit.BYTES);
  }

  /// The backup itself must not change, so a copy of it is upgraded.
  private void restore(Path file, Dialect target, BackupListener listener) throws IOException {
    Path staged = data.resolve(STAGED);
    SqliteSnapshot.copyFile(file, staged);
    SqliteDialect source = file(staged);
    try {
      source.open().close();
    } catch (SQLException e) {
      throw source.exception(e);
    }
    DatabaseCopy.Result _ =
        new DatabaseCopy(source, target, PortionSize.USUAL, steps(listener)).run();
    Files.delete(staged);
  }

  private static CopyListener steps(BackupListener listener) {
    return (step, table, done, all) ->
        listener.advanced(
            step == CopyListener.Step.VERIFY ? Stage.CHECK : Stage.DATABASE, done, all, Unit.ROWS);
  }

  private static BackupListener interruptible(BackupListener listener) {
    return (stage, done, all, unit) -> {
      if (Thread.currentThread().isInterrupted()) {
        throw interrupted();
      }
      listener.advanced(stage, done, all, unit);
    };
  }

  private static StoreException interrupted() {
    return new StoreException(StoreException.Category.UNAVAILABLE, "interrupted", null);
  }

  private static void onPlatformThread(Work work) {
    FutureTask<Boolean> task =
        new FutureTask<>(() -> {
          work.run();
          return true;
        });
    Thread thread = Thread.ofPlatform().name("zonda-backup").daemon().start(task);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          boolean _ = task.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
          thread.interrupt(); // and wait until it has ended: the caller removes the file
        }
      }
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException failure(Throwable cause) {
    return switch (cause) {
      // A new exception, so that it has the stack of the caller.
      case StoreException e -> new StoreException(e.category(), String.valueOf(e.getMessage()), e);
      case IOException e -> new UncheckedIOException(e);
      default -> new IllegalStateException(cause);
    };
  }

  private Dialect dialect(Storage storage) {
    return Databases.dialect(data, storage, UnaryOperator.identity());
  }

  private static SqliteDialect file(Path file) {
    return new SqliteDialect(file, UnaryOperator.identity());
  }
}
