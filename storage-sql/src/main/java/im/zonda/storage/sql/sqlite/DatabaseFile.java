package im.zonda.storage.sql.sqlite;

import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// The database file: creates it, and checks it before it is opened.
///
/// A file of another application, a damaged file or one of a newer version is rejected and not
/// changed. The header is read without SQLite, which would otherwise process the write-ahead log of
/// the file.
final class DatabaseFile {
  private static final int HEADER_BYTES = 100;
  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  /// Files up to this size are checked completely whenever they are opened, which takes about 3 ms
  /// per MiB. Larger files are checked on request.
  private static final long ALWAYS_CHECKED_BYTES = 16 << 20;

  private final Path file;
  private final Path log;
  private final SqliteDialect dialect;

  DatabaseFile(SqliteDialect dialect) {
    this.dialect = dialect;
    this.file = dialect.file();
    this.log = file.resolveSibling(file.getFileName() + "-wal");
  }

  /// Creates the file if it does not exist; otherwise checks it.
  ///
  /// @throws StoreException `DAMAGED` if it cannot be used, `UNAVAILABLE` if it cannot be read
  void prepare() {
    int newest = SqliteDialect.SCHEMA.newest();
    try {
      if (Files.exists(file)) {
        checkHeader(newest);
        checkInside(newest);
      } else if (size(log) > 0) {
        throw damaged("is missing, but its write-ahead file " + log + " is there");
      } else {
        create();
      }
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, file + " cannot be read or made: " + e, e);
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  boolean exists() {
    return Files.exists(file);
  }

  /// The size in bytes, with that of the write-ahead log.
  long size() {
    try {
      return size(file) + size(log);
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, file + " cannot be read: " + e, e);
    }
  }

  /// Checks the whole structure of the database, indexes included.
  ///
  /// @throws StoreException `DAMAGED` with the first defect found
  void check(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("pragma integrity_check(1)")) {
      String answer = row.next() ? row.getString(1) : "no answer";
      if (!"ok".equals(answer)) {
        throw damaged("is damaged (" + answer + ")");
      }
    } catch (SQLException e) {
      if (dialect.isDamage(e)) {
        throw damaged("is damaged (" + e.getMessage() + ")");
      }
      throw e;
    }
  }

  private void checkHeader(int newest) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int read = 0;
      while (read >= 0 && header.hasRemaining()) {
        read = channel.read(header);
      }
    }
    if (header.hasRemaining()) {
      throw damaged("is damaged: it ends after " + header.position() + " bytes");
    }
    for (int i = 0; i < MAGIC.length; i++) {
      if (header.get(i) != MAGIC[i]) {
        throw damaged("is not an SQLite database");
      }
    }
    if (header.getInt(68) != SqliteDialect.APPLICATION_ID) {
      throw damaged("belongs to another application");
    }
    checkVersion(header.getInt(60), newest);
    int pageSize = Short.toUnsignedInt(header.getShort(16));
    long expected = Integer.toUnsignedLong(header.getInt(28)) * (pageSize == 1 ? 65_536 : pageSize);
    long actual = Files.size(file);
    // The last pages may be in the write-ahead log only.
    if (size(log) == 0 && actual != expected) {
      throw damaged("is damaged: it has " + actual + " bytes instead of " + expected);
    }
  }

  /// Checks the content through a read-only connection, so that closing it changes nothing either.
  private void checkInside(int newest) throws SQLException, IOException {
    long size = Files.size(file) + size(log);
    try (Connection connection = dialect.openReader()) {
      if (size <= ALWAYS_CHECKED_BYTES) {
        check(connection);
      }
      checkVersion(dialect.schemaVersion(connection), newest);
    } catch (SQLException e) {
      if (dialect.isDamage(e)) {
        throw damaged("is damaged (" + e.getMessage() + ")");
      }
      throw e;
    }
  }

  private void checkVersion(int version, int newest) {
    if (version > newest) {
      throw new StoreException(
          StoreException.Category.DAMAGED,
          file
              + " was written by a newer version of this server (schema "
              + version
              + ", this one knows "
              + newest
              + "). It was not changed. Start the newer version.",
          null);
    }
    if (version < 1) {
      throw damaged("is damaged: it has no schema version");
    }
  }

  /// Creates the database under a temporary name and renames it, so that a file with the final name
  /// is always complete.
  private void create() throws IOException, SQLException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".new-journal"));
    Path _ = createPrivate(fresh);
    try (Connection connection = dialect.create(fresh)) {
      SqliteDialect.SCHEMA.migrate(connection, dialect);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    if (folder != null) {
      flushFolder(folder);
    }
  }

  /// Creates an empty file that only its owner may read, where the file system knows that.
  static Path createPrivate(Path file) throws IOException {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
        : Files.createFile(file);
  }

  private static void flushFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private StoreException damaged(String what) {
    return new StoreException(
        StoreException.Category.DAMAGED,
        file
            + " "
            + what
            + ". It was not changed. Put a backup in its place, or move it away (with the files"
            + " whose names begin like its own) to start with an empty database.",
        null);
  }

  private static long size(Path path) throws IOException {
    return Files.exists(path) ? Files.size(path) : 0;
  }
}
