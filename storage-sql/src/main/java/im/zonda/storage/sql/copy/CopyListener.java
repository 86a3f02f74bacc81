package im.zonda.storage.sql.copy;

/// Is notified of the progress of a copy, after each portion.
@FunctionalInterface
public interface CopyListener {
  /// What is being done.
  enum Step {
    /// Counting the rows; `done` and `all` are 0.
    COUNT,
    COPY,
    /// Reading both databases; each row counts twice.
    VERIFY
  }

  /// Rows have been handled.
  ///
  /// @param table the table that is being handled
  /// @param done rows of all tables that are done
  /// @param all rows of all tables
  void advanced(Step step, String table, long done, long all);
}
