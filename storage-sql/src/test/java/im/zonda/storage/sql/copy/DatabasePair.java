package im.zonda.storage.sql.copy;

import im.zonda.storage.sql.TestDatabase;
import java.util.ArrayList;
import java.util.List;

/// From which kind of database to which.
record DatabasePair(TestDatabase from, TestDatabase to) {
  /// All pairs, and one of the same kind.
  static List<DatabasePair> all() {
    List<DatabasePair> pairs = new ArrayList<>();
    pairs.add(new DatabasePair(TestDatabase.SQLITE, TestDatabase.SQLITE));
    for (TestDatabase from : TestDatabase.all()) {
      for (TestDatabase to : TestDatabase.all()) {
        if (from != to) {
          pairs.add(new DatabasePair(from, to));
        }
      }
    }
    return pairs;
  }
}
