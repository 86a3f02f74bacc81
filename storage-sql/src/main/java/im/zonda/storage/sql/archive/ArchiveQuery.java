package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.log.StoredMessage;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the ids of an owner's archived entries that may match a filter, in order from either end.
/// It combines the slices of the index, the runs that are not written yet, and the end of the log.
/// Its connection must see one state of the database, because slices are merged meanwhile.
final class ArchiveQuery {
  private static final String TAIL =
      """
      select id, owner_id, peer, sender_peer, stanza from message
      where id > ? and id >= ? and id <= ? and ((owner_id = ? and archive = 1) or sender_id = ?)
      order by id
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
  private @Nullable List<Slice> slices;

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
      if (textTo == ArchiveIndex.SHARED) {
        return this;
      }
      missing = range.since(textTo + 1);
      if (missing.from() <= missing.to()) {
        addIndexed(missing.from());
      }
    }
    known.index.forEach(owner, missing, this::add);
    if (missing.to() > known.index.read()) {
      readTail(known.index.read(), missing);
    }
    sort();
    return this;
  }

  private void add(long id) {
    if (recentSize == recent.length) {
      recent = Arrays.copyOf(recent, Math.max(16, recentSize * 2));
    }
    recent[recentSize++] = id;
  }

  /// Sorts the ids and removes duplicates.
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
      statement.setLong(5, owner);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (missing.with() == null || missing.matches(row.getLong(1), peer(row))) {
            add(row.getLong(1));
          }
        }
      }
    }
  }

  private String peer(ResultSet row) throws SQLException {
    if (row.getLong(2) == owner) {
      return row.getString(3);
    }
    try {
      return StoredMessage.senderPeer(row.getString(4), row.getBytes(5));
    } catch (StoredMessage.DamagedRow e) {
      return ""; // found by time, where it is reported
    }
  }

  /// Adds the entries whose words are not indexed yet; they must be read one by one.
  private void addIndexed(long from) throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (SliceReader reader = reader()) {
      for (Slice slice : slices()) {
        if (slice.last() >= from && slice.first() <= range.to()) {
          reader.read(slice, from, range.to(), Integer.MAX_VALUE, false, ids);
        }
      }
    }
    ids.forEach(this::add);
  }

  private SliceReader reader() throws SQLException {
    return new SliceReader(connection, range.key(owner), range.resource());
  }

  /// The slices, those that are read first at the start.
  private List<Slice> slices() throws SQLException {
    List<Slice> found = slices;
    if (found == null) {
      found = new ArrayList<>(Slice.readAll(connection));
      found.removeIf(slice -> !slice.isLive());
      found.add(Slice.LATE);
      found.sort(
          backwards
              ? Comparator.comparingLong(Slice::last).reversed()
              : Comparator.comparingLong(Slice::first));
      slices = found;
    }
    return found;
  }

  /// The next ids in reading order, at most `wanted`; fewer at the end.
  NavigableSet<Long> next(int wanted) throws SQLException {
    TreeSet<Long> ids = new TreeSet<>();
    if (low <= high) {
      if (!indexless) {
        readIndex(wanted, ids);
      }
      readRecent(wanted, ids);
      trim(wanted, ids);
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

  private void readIndex(int wanted, NavigableSet<Long> ids) throws SQLException {
    if (!words.isEmpty()) {
      readWords(wanted, ids);
      return;
    }
    try (SliceReader reader = reader()) {
      for (Slice slice : slices()) {
        if (slice.last() >= low && slice.first() <= high && !isBeyond(slice, wanted, ids)) {
          reader.read(slice, low, high, wanted, backwards, ids);
          trim(wanted, ids);
        }
      }
    }
  }

  /// Whether enough ids have been found before those of the slice.
  private boolean isBeyond(Slice slice, int wanted, NavigableSet<Long> ids) {
    return ids.size() >= wanted
        && (backwards ? slice.last() < ids.first() : slice.first() > ids.last());
  }

  private void trim(int wanted, NavigableSet<Long> ids) {
    while (ids.size() > wanted) {
      Long _ = backwards ? ids.pollFirst() : ids.pollLast();
    }
  }

  private void readWords(int wanted, Set<Long> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(syntax.findWords(backwards))) {
      statement.setString(1, syntax.allWords(SearchWords.tokens(owner, words)));
      statement.setLong(2, low);
      statement.setLong(3, high);
      statement.setInt(4, wanted);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ids.add(row.getLong(1));
        }
      }
    }
  }

  /// Whether an entry has the words. Entries found by the index of words are not checked again.
  boolean hasWords(MessageLog.Entry entry) {
    return words.isEmpty()
        || entry.id() <= textTo
        || SearchWords.of(entry.message()).containsAll(words);
  }

  /// Whether an entry's other party matches the filter.
  boolean isWith(Jid with) {
    return range.isWith(with);
  }
}
