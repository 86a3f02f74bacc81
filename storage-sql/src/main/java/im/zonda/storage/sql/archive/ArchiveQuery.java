package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/// Finds the ids of an owner's archived entries that may match a filter, in order from either end.
/// It combines the index tables, the runs that are not written yet, and the end of the log.
final class ArchiveQuery {
  private static final String TAIL =
      """
      select id, peer from message
      where id > ? and id >= ? and id <= ? and owner_id = ? and archive = 1
      order by id
      """;

  private static final String TIME =
      "select id from archive_time where owner_id = ? and id >= ? and id <= ? order by id limit ?";

  private static final String TIME_BACKWARDS =
      """
      select id from archive_time where owner_id = ? and id >= ? and id <= ?
      order by id desc limit ?
      """;

  private static final String PEER =
      """
      select id from archive_peer where owner_id = ? and id >= ? and id <= ? and peer = ?
      order by id limit ?
      """;

  private static final String PEER_BACKWARDS =
      """
      select id from archive_peer where owner_id = ? and id >= ? and id <= ? and peer = ?
      order by id desc limit ?
      """;

  private static final String RESOURCE =
      """
      select id from archive_peer
      where owner_id = ? and id >= ? and id <= ? and peer = ? and resource = ?
      order by id limit ?
      """;

  private static final String RESOURCE_BACKWARDS =
      """
      select id from archive_peer
      where owner_id = ? and id >= ? and id <= ? and peer = ? and resource = ?
      order by id desc limit ?
      """;

  /// The state in memory at the time the query begins.
  ///
  /// @param index the view of the index
  /// @param textTo the words of all entries up to this id are indexed
  record Known(ArchiveIndex.View index, long textTo) {}

  private final Connection connection;
  private final SqlSyntax syntax;
  private final long owner;
  private final ArchiveRange range;
  private final Set<String> words;
  private final boolean backwards;
  private long[] recent = new long[16];
  private int recentSize;
  private final boolean indexless;
  private long low;
  private long high;
  private long textTo = Long.MIN_VALUE;

  /// @param words the words that an entry must have; empty for no condition
  ArchiveQuery(
      Connection connection,
      SqlSyntax syntax,
      long owner,
      Filter filter,
      Set<String> words,
      boolean backwards) {
    this.connection = connection;
    this.syntax = syntax;
    this.owner = owner;
    this.range = new ArchiveRange(filter.from(), filter.to(), filter.with());
    this.words = words;
    this.backwards = backwards;
    this.indexless = filter.ids() != null;
    this.low = filter.from();
    this.high = filter.to();
    if (filter.ids() != null) {
      for (long id : filter.ids()) {
        if (id >= low && id <= high) {
          add(id);
        }
      }
      sort();
    }
  }

  /// Collects the ids that the tables do not have. Must be called first.
  ArchiveQuery prepare(Known known) throws SQLException {
    if (indexless) {
      return this;
    }
    ArchiveRange missing = range;
    if (!words.isEmpty()) {
      // Older entries are found by the index of words.
      textTo = known.textTo;
      missing = range.since(textTo + 1);
      if (missing.from() <= missing.to()) {
        addIndexed(missing.from());
      }
    }
    for (ArchiveRun run : known.index.runs()) {
      if (run.last() >= missing.from()) {
        run.forEach(owner, missing, this::add);
      }
    }
    if (missing.to() > known.index.read()) {
      readTail(known.index.read(), missing);
    }
    if (!words.isEmpty()) {
      sort();
    }
    return this;
  }

  private void add(long id) {
    if (recentSize == recent.length) {
      recent = Arrays.copyOf(recent, Math.max(16, recentSize * 2));
    }
    recent[recentSize++] = id;
  }

  /// Sorts the ids and removes duplicates. Not needed for ids of runs and the end of the log.
  private void sort() {
    recent = Arrays.stream(recent, 0, recentSize).sorted().distinct().toArray();
    recentSize = recent.length;
  }

  private void readTail(long read, ArchiveRange missing) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAIL)) {
      statement.setLong(1, read);
      statement.setLong(2, missing.from());
      statement.setLong(3, missing.to());
      statement.setLong(4, owner);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (missing.matches(row.getLong(1), row.getString(2))) {
            add(row.getLong(1));
          }
        }
      }
    }
  }

  /// Adds the entries whose words are not indexed yet; they must be read one by one.
  private void addIndexed(long from) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(range.with() == null ? TIME : PEER)) {
      statement.setLong(1, owner);
      statement.setLong(2, from);
      statement.setLong(3, range.to());
      int next = 4;
      if (range.with() != null) {
        statement.setInt(next++, range.peer());
      }
      statement.setInt(next, Integer.MAX_VALUE);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          add(row.getLong(1));
        }
      }
    }
  }

  /// The ids that the tables may not have.
  NavigableSet<Long> recent() {
    NavigableSet<Long> ids = new TreeSet<>();
    for (int i = 0; i < recentSize; i++) {
      ids.add(recent[i]);
    }
    return ids;
  }

  /// The next ids in reading order, at most `wanted`; fewer at the end.
  NavigableSet<Long> next(int wanted) throws SQLException {
    TreeSet<Long> ids = new TreeSet<>();
    if (low <= high) {
      if (!indexless) {
        readIndex(wanted, ids);
      }
      readRecent(wanted, ids);
      while (ids.size() > wanted) {
        Long _ = backwards ? ids.pollFirst() : ids.pollLast();
      }
    }
    if (ids.size() < wanted) {
      low = 1;
      high = 0;
    } else if (backwards) {
      high = ids.first() - 1;
    } else {
      low = ids.last() + 1;
    }
    return backwards ? ids.descendingSet() : ids;
  }

  private void readRecent(int wanted, Set<Long> ids) {
    int from = place(low);
    int to = high == Long.MAX_VALUE ? recentSize : place(high + 1);
    if (backwards) {
      from = Math.max(from, to - wanted);
    } else {
      to = Math.min(to, from + wanted);
    }
    for (int i = from; i < to; i++) {
      ids.add(recent[i]);
    }
  }

  /// The index of the first recent id that is not below `id`.
  private int place(long id) {
    int place = Arrays.binarySearch(recent, 0, recentSize, id);
    return place < 0 ? -place - 1 : place;
  }

  private void readIndex(int wanted, Set<Long> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql())) {
      int next = 1;
      if (words.isEmpty()) {
        statement.setLong(next++, owner);
      } else {
        statement.setString(next++, syntax.allWords(SearchWords.tokens(owner, words)));
      }
      statement.setLong(next++, low);
      statement.setLong(next++, high);
      if (words.isEmpty() && range.with() != null) {
        statement.setInt(next++, range.peer());
        if (range.full()) {
          statement.setInt(next++, range.resource());
        }
      }
      statement.setInt(next, wanted);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ids.add(row.getLong(1));
        }
      }
    }
  }

  private String sql() {
    if (!words.isEmpty()) {
      return syntax.findWords(backwards);
    }
    if (range.with() == null) {
      return backwards ? TIME_BACKWARDS : TIME;
    }
    if (range.full()) {
      return backwards ? RESOURCE_BACKWARDS : RESOURCE;
    }
    return backwards ? PEER_BACKWARDS : PEER;
  }

  /// Whether an entry has the words. Entries found by the index of words are not checked again.
  boolean hasWords(MessageLog.Entry entry) {
    return words.isEmpty()
        || entry.id() <= textTo
        || SearchWords.of(entry.message()).containsAll(words);
  }

  /// Whether the row's other party matches the filter.
  boolean isWith(String peer) {
    return range.isWith(peer);
  }
}
