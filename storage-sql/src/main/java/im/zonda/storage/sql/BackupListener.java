package im.zonda.storage.sql;

/// Is notified of the progress of a backup, a check of one, or a restoration.
@FunctionalInterface
public interface BackupListener {
  /// What is being done.
  enum Stage {
    /// The database is copied.
    DATABASE,
    /// Uploaded files are copied.
    FILES,
    /// What was written is compared or checked.
    CHECK
  }

  /// What is counted.
  enum Unit {
    BYTES,
    ROWS,
    FILES
  }

  /// A part is done. An exception ends the work.
  ///
  /// @param done how much of the stage is done
  /// @param all how much there is, approximately; 0 if it is not known yet
  void advanced(Stage stage, long done, long all, Unit unit);
}
