package im.zonda.storage.sql.copy;

import im.zonda.storage.sql.TestDatabase;
import java.util.ArrayList;
import java.util.List;

/// From which kind of database to which.
record DatabasePair(TestDatabase from, TestDatabase to) {
  /// A circle, in which each kind is read once and written once; in the long run all pairs.
  static List<DatabasePair> sampled() {
    if (Boolean.getBoolean("zonda.test.all")) {
      return all();
    }
    List<TestDatabase> kinds = TestDatabase.all();
    List<DatabasePair> pairs = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      pairs.add(new DatabasePair(kinds.get(i), kinds.get((i + 1) % kinds.size())));
    }
    return pairs;
  }

  /// All pairs, and one of the same kind.
  private static List<DatabasePair> all() {
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
