package im.zonda.storage.sql.database;

/// The cause of a failed statement.
public enum Fault {
  /// The database cannot store anything: it cannot be reached, its disk is full, another session
  /// has a lock, it stops. The same operations may succeed later.
  DATABASE,
  /// The operation itself: the database will never store these values, but it stores others.
  OPERATION,
  /// The database does not say. What it says to a small write tells.
  UNKNOWN
}
