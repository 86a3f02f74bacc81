package im.zonda.storage.sql;

import im.zonda.config.Storage;
import im.zonda.storage.sql.copy.CopyListener;
import im.zonda.storage.sql.copy.DatabaseCopy;
import im.zonda.storage.sql.copy.PortionSize;
import im.zonda.storage.sql.database.CopyMark;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.sqlite.NativeLibrary;
import im.zonda.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

/// Maintenance of the database of a configuration by administrators, beside running a server on it.
///
/// @param data the data folder; except for [#status], this process must have locked it
/// @param settings the database
public record DatabaseMaintenance(Path data, Storage settings) {
  /// An upgrade of the schema.
  ///
  /// @param database the address of the database
  /// @param from the version before; 0 if there were no tables
  public record Upgrade(String database, int from, int to) {}

  /// What the database has. Changes nothing; a server may use the database.
  ///
  /// @throws StoreException if it cannot be read
  public DatabaseStatus status() {
    Dialect dialect = dialect(settings);
    if (!dialect.exists()) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, "there is no database " + dialect.name(), null);
    }
    try (Connection connection = dialect.openReader()) {
      return new DatabaseStatusQuery(dialect, connection, settings.fullText()).read();
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  /// The settings of the database by which it may lose what it has committed; empty if there are
  /// none. Changes nothing; a server may use the database.
  ///
  /// @throws StoreException if it cannot be read
  public String risks() {
    Dialect dialect = dialect(settings);
    try (Connection connection = dialect.openReader()) {
      return dialect.risks(connection);
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  /// Upgrades the schema to the version of this program. Creates what is missing.
  ///
  /// @param progress is notified of each step before it begins
  /// @throws StoreException if the database cannot be used or is of a newer version; it is not
  ///   changed
  public Upgrade migrate(Schema.Progress progress) {
    Dialect dialect = owned(settings);
    boolean exists = dialect.exists();
    try (Connection connection = dialect.take()) {
      CopyMark.check(connection, dialect);
      int from = exists ? dialect.schemaVersion(connection) : 0;
      dialect.upgrade(connection, progress);
      return new Upgrade(dialect.name(), from, dialect.schemaVersion(connection));
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  /// Copies everything to another database; continues an unfinished copy.
  ///
  /// @param target the settings with the other database
  /// @throws StoreException if a database cannot be used, or the copy differs
  public DatabaseCopy.Result copyTo(Storage target, CopyListener listener) {
    return new DatabaseCopy(owned(settings), owned(target), PortionSize.USUAL, listener).run();
  }

  /// A database that only this process uses.
  private Dialect owned(Storage storage) {
    if (Databases.isFile(storage)) {
      NativeLibrary.keepIn(data);
    }
    return dialect(storage);
  }

  private Dialect dialect(Storage storage) {
    return Databases.dialect(data, storage, UnaryOperator.identity());
  }
}
