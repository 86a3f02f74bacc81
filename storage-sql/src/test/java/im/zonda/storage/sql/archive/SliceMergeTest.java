package im.zonda.storage.sql.archive;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.database.Dialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Slices of the index, written, merged in portions and read, against sets in memory.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
class SliceMergeTest {
  private static final long SEED = 20261122;
  private static final int OWNERS = 12;
  private static final int REMOVED = 5;
  private static final int PURGED = 7;
  private static final long TIME = 1_700_000_000_000_000L;

  private static final String INSERT =
      "insert into account (domain, local, created, archived_from) values ('x', ?, 0, ?)";

  private final TestDatabase database;
  @TempDir Path folder;

  private final Random random = new Random(SEED);
  private final NavigableSet<Entry> model = new TreeSet<>();
  private final Set<Long> ids = new HashSet<>();
  private Connection connection;
  private ArchiveRows rows;

  private record Entry(long key, long id, int resource) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byKey = Long.compare(key, other.key);
      return byKey != 0 ? byKey : Long.compare(id, other.id);
    }
  }

  @SuppressWarnings("NullAway.Init") // opened before each test
  SliceMergeTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws SQLException {
    Dialect dialect = database.dialect(folder);
    connection = dialect.open();
    connection.setAutoCommit(false);
    for (int owner = 1; owner <= OWNERS; owner++) {
      try (var insert = connection.prepareStatement(INSERT)) {
        insert.setString(1, "o" + owner); // ids are 1 and so on
        insert.setLong(2, owner == PURGED ? TIME + 5_000 : 0);
        insert.executeUpdate();
      }
    }
    try (var delete = connection.createStatement()) {
      delete.executeUpdate("delete from account where id = " + REMOVED);
    }
    rows = new ArchiveRows(connection, dialect.syntax());
  }

  @AfterEach
  void close() throws SQLException {
    rows.close();
    connection.close();
  }

  /// Writes a slice with random entries from a time on; a few are in an earlier slice too.
  private Slice write(long from, int count) throws SQLException {
    TreeSet<Entry> entries = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      // A few owners have most of the entries, so that these fill whole rows.
      long owner = 1 + (long) (Math.pow(random.nextDouble(), 3) * OWNERS);
      long id = from + random.nextInt(10_000);
      if (!ids.add(id)) {
        continue;
      }
      int with = IndexKey.with("peer" + random.nextInt(3) + "@x/" + random.nextInt(2));
      entries.add(new Entry(IndexKey.byTime(owner), id, 0));
      entries.add(new Entry(IndexKey.byPeer(owner, with), id, IndexKey.resource(with)));
    }
    for (Entry entry : model) {
      if (random.nextInt(50) == 0) {
        entries.add(entry);
      }
    }
    long number = rows.slices().start(rows.slices().slices());
    ChunkEncoder encoder = new ChunkEncoder();
    for (Entry entry : entries) {
      encoder.add(entry.key, entry.id, entry.resource);
      if (encoder.isFull()) {
        rows.slices().add(number, encoder);
      }
    }
    rows.slices().add(number, encoder);
    long first = entries.stream().mapToLong(Entry::id).min().orElseThrow();
    long last = entries.stream().mapToLong(Entry::id).max().orElseThrow();
    Slice slice = new Slice(number, 0, first, last, entries.size(), 0);
    rows.slices().finish(slice);
    model.addAll(entries);
    return slice;
  }

  @Test
  void whatIsMergedInPortionsIsReadLikeWhatWasWritten() throws SQLException {
    List<Slice> slices = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      slices.add(write(TIME + 7_000L * i, 2_000));
    }
    assertThat(slices).hasSize(5);
    assertReads(slices);
    SliceMerge merge = new SliceMerge(slices, rows.slices().start(rows.slices().slices()), 1);
    int portions = 0;
    while (merge != null) {
      merge = merge.run(rows, 777);
      portions++;
    }
    assertThat(portions).isGreaterThan(20);
    model.removeIf(entry ->
        IndexKey.owner(entry.key) == REMOVED
            || (IndexKey.owner(entry.key) == PURGED && entry.id < TIME + 5_000));
    List<Slice> live = rows.slices().slices().stream().filter(Slice::isLive).toList();
    assertThat(live).hasSize(1);
    assertThat(live.getFirst().entries()).isEqualTo(model.size());
    assertReads(live);
  }

  @Test
  void aRetiredSliceIsDeletedInPortions() throws SQLException {
    Slice slice = write(TIME, 3_000);
    rows.slices().retire(slice);
    int portions = 0;
    while (!rows.slices().slices().isEmpty()) {
      rows.slices().delete(slice, 5);
      portions++;
    }
    assertThat(portions).isGreaterThan(2);
    assertThat(rows.slices().after(slice.number(), Long.MIN_VALUE, 0, 10)).isEmpty();
  }

  /// Reads random ranges of each key, in both directions.
  private void assertReads(List<Slice> slices) throws SQLException {
    for (long key : model.stream().mapToLong(Entry::key).distinct().toArray()) {
      for (int resource : new int[] {-1, IndexKey.resource(IndexKey.with("a@x/1"))}) {
        try (SliceReader reader = new SliceReader(connection, key, resource)) {
          for (int round = 0; round < 8; round++) {
            long low = round == 0 ? Long.MIN_VALUE : TIME + random.nextInt(40_000);
            long high = round < 2 ? Long.MAX_VALUE : low + random.nextInt(20_000);
            assertRead(slices, reader, new Entry(key, low, resource), high);
          }
        }
      }
    }
  }

  private void assertRead(List<Slice> slices, SliceReader reader, Entry from, long high)
      throws SQLException {
    boolean backwards = random.nextBoolean();
    int wanted = 1 + random.nextInt(300);
    TreeSet<Long> found = new TreeSet<>();
    for (Slice slice : slices) {
      reader.read(slice, from.id, high, wanted, backwards, found);
    }
    TreeSet<Long> expected = new TreeSet<>();
    for (Entry entry : model.subSet(from, true, new Entry(from.key, high, 0), true)) {
      if (from.resource < 0 || entry.resource == from.resource) {
        expected.add(entry.id);
      }
    }
    assertThat((backwards ? found.descendingSet() : found).stream().limit(wanted))
        .containsExactlyElementsOf(
            (backwards ? expected.descendingSet() : expected).stream().limit(wanted).toList());
  }
}
