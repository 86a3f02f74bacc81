package im.zonda.storage.sql.sqlite;

import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConnection;

/// Copies a database to a file with `VACUUM INTO` while the writer's connection continues: one read
/// transaction, so the copy has all that was committed before it began. The write-ahead log grows
/// meanwhile.
///
/// The copy is flushed to the disk in small parts. Otherwise the next commit of the writer would
/// wait until all of it is flushed.
public final class SqliteSnapshot {
  /// Steps of SQLite's virtual machine between two calls of the handler: a few rows, which may be
  /// large.
  private static final int STEPS = 100;

  private static final long FLUSHED_BYTES = 4 << 20;

  private final SqliteDialect dialect;
  private final Path target;
  private final Listener listener;

  /// Is notified of the progress.
  @FunctionalInterface
  public interface Listener {
    /// Bytes have been written.
    ///
    /// @param all the size of the copy, approximately
    void advanced(long done, long all);
  }

  /// @param target is created, for its owner only; must not exist
  /// @param listener an exception that it throws ends the copy
  public SqliteSnapshot(SqliteDialect dialect, Path target, Listener listener) {
    this.dialect = dialect;
    this.target = target;
    this.listener = listener;
  }

  /// Writes the copy. Blocks, and pins a virtual thread. After a failure the target is not usable.
  ///
  /// @throws StoreException `FULL` if there is no room for it; otherwise if a file cannot be read
  ///   or written
  public void write() {
    try (Connection connection = dialect.openReader()) {
      long all = size(connection);
      checkRoom(all);
      write(connection, all);
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  /// Copies a database file that nobody changes to another one, for its owner only, which is on the
  /// disk when the call returns. Replaces the target.
  public static void copyFile(Path source, Path target) throws IOException {
    Files.deleteIfExists(target);
    try (FileChannel from = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(DatabaseFile.createPrivate(target), StandardOpenOption.WRITE)) {
      long size = from.size();
      long done = 0;
      while (done < size) {
        done += from.transferTo(done, size - done, to);
      }
      to.force(true);
    }
  }

  /// The size of the content without free pages.
  private static long size(Connection connection) throws SQLException {
    return (number(connection, "pragma page_count") - number(connection, "pragma freelist_count"))
        * number(connection, "pragma page_size");
  }

  private static long number(Connection connection, String pragma) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(pragma)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private void checkRoom(long needed) {
    try {
      Path folder = target.toAbsolutePath().getParent();
      long free = folder == null ? Long.MAX_VALUE : Files.getFileStore(folder).getUsableSpace();
      if (free < needed) {
        throw new StoreException(
            StoreException.Category.FULL,
            "the disk of " + target + " has " + free + " bytes free, and the copy needs " + needed,
            null);
      }
    } catch (IOException e) {
      throw unwritable(StoreException.Category.UNAVAILABLE, e);
    }
  }

  private void write(Connection connection, long all) throws SQLException {
    try (FileChannel file =
            FileChannel.open(DatabaseFile.createPrivate(target), StandardOpenOption.WRITE);
        PreparedStatement vacuum = connection.prepareStatement("vacuum into ?")) {
      Progress progress = new Progress(file, all);
      if (connection instanceof SQLiteConnection) { // not one that a test has wrapped
        ProgressHandler.setHandler(connection, STEPS, progress);
      }
      vacuum.setString(1, target.toString());
      try {
        vacuum.execute();
      } catch (SQLException e) {
        throw progress.failure(e);
      } finally {
        if (connection instanceof SQLiteConnection) {
          ProgressHandler.clearHandler(connection);
        }
      }
      file.force(true);
      listener.advanced(file.size(), file.size());
    } catch (IOException e) {
      throw unwritable(StoreException.Category.UNAVAILABLE, e);
    }
  }

  private StoreException unwritable(StoreException.Category category, Exception cause) {
    return new StoreException(
        category, "the copy " + target + " cannot be written: " + cause.getMessage(), cause);
  }

  /// Called by SQLite while it writes.
  private final class Progress extends ProgressHandler {
    private final FileChannel file;
    private final long all;
    private long flushed;
    private @Nullable RuntimeException failure;

    Progress(FileChannel file, long all) {
      this.file = file;
      this.all = all;
    }

    /// Returns another number than 0 to end the copy.
    @Override
    protected int progress() {
      try {
        long size = file.size();
        if (size - flushed >= FLUSHED_BYTES) {
          file.force(false);
          flushed = size;
          listener.advanced(size, Math.max(size, all));
        }
        return 0;
      } catch (ClosedByInterruptException e) {
        failure = new StoreException(StoreException.Category.UNAVAILABLE, "interrupted", e);
      } catch (IOException e) {
        failure = unwritable(StoreException.Category.UNAVAILABLE, e);
      } catch (RuntimeException e) {
        failure = e; // must not pass through SQLite
      }
      return 1;
    }

    /// Why the copy has failed. The database itself is only read.
    RuntimeException failure(SQLException e) {
      StoreException.Category category = dialect.exception(e).category();
      return failure != null
          ? failure
          : category == StoreException.Category.DAMAGED
              ? dialect.exception(e)
              : unwritable(category, e);
    }
  }
}
