package im.zonda.storage.sql.archive;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Merges slices into one, in portions. Entries of removed owners and of purged messages are left
/// out, and an entry that is in two slices is kept once.
///
/// @param inputs the slices
/// @param output the number of the new slice
/// @param level its level
/// @param key the key of the last entry that has been merged
/// @param id its id
/// @param entries the number of entries written
record SliceMerge(List<Slice> inputs, long output, int level, long key, long id, long entries) {
  /// Slices of one level that are merged into one of the next.
  static final int FAN_IN = 12;

  /// Entries that are read in one portion.
  static final int PORTION = 8_192;

  /// Rows that are read from a slice at a time.
  private static final int ROWS = 8;

  SliceMerge(List<Slice> inputs, long output, int level) {
    this(List.copyOf(inputs), output, level, Long.MIN_VALUE, Long.MIN_VALUE, 0);
  }

  /// Merges the next entries, at most `portion`. Returns the state after that, or null if the merge
  /// is complete.
  @Nullable SliceMerge run(ArchiveRows rows, int portion) throws SQLException {
    PriorityQueue<Input> heap = new PriorityQueue<>(inputs.size());
    for (Slice slice : inputs) {
      Input input = new Input(rows.slices(), slice.number(), key, id);
      if (input.next()) {
        heap.add(input);
      }
    }
    Output written = new Output(rows, output, key, id);
    int left = portion;
    for (Input input = heap.poll(); input != null; input = heap.poll()) {
      Input other = heap.peek();
      boolean more;
      do {
        written.add(input);
        left--;
        more = input.next();
      } while (more && left > 0 && (other == null || input.compareTo(other) < 0));
      if (left <= 0) {
        written.finish();
        return new SliceMerge(
            inputs, output, level, written.key, written.id, entries + written.count);
      }
      if (more) {
        heap.add(input);
      }
    }
    written.finish();
    complete(rows.slices(), entries + written.count);
    return null;
  }

  private void complete(SliceRows rows, long count) throws SQLException {
    for (Slice slice : inputs) {
      rows.retire(slice);
    }
    rows.finish(
        new Slice(
            output,
            count == 0 ? Slice.RETIRED : level,
            inputs.stream().mapToLong(Slice::first).min().orElseThrow(),
            inputs.stream().mapToLong(Slice::last).max().orElseThrow(),
            count,
            0));
  }

  /// The entries of a slice after a position.
  private static final class Input implements Comparable<Input> {
    private final SliceRows rows;
    private final long slice;
    private final Queue<SliceRows.Chunk> chunks = new ArrayDeque<>(ROWS);
    private ChunkDecoder decoder = new ChunkDecoder(new byte[0]);
    private long readKey;
    private long readId;
    private final long afterKey;
    private final long afterId;

    Input(SliceRows rows, long slice, long key, long id) {
      this.rows = rows;
      this.slice = slice;
      afterKey = key;
      afterId = id;
      readKey = key;
      readId = id;
    }

    boolean next() throws SQLException {
      while (true) {
        while (decoder.next()) {
          if (decoder.key() > afterKey || (decoder.key() == afterKey && decoder.id() > afterId)) {
            return true;
          }
        }
        if (chunks.isEmpty()) {
          chunks.addAll(rows.after(slice, readKey, readId, ROWS));
        }
        SliceRows.Chunk chunk = chunks.poll();
        if (chunk == null) {
          return false;
        }
        readKey = chunk.lastKey();
        readId = chunk.lastId();
        decoder = new ChunkDecoder(chunk.data());
      }
    }

    @Override
    public int compareTo(Input other) {
      int byKey = Long.compare(decoder.key(), other.decoder.key());
      return byKey != 0 ? byKey : Long.compare(decoder.id(), other.decoder.id());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /// The rows of the new slice.
  private static final class Output {
    private final ArchiveRows rows;
    private final long slice;
    private final ChunkEncoder encoder = new ChunkEncoder();
    private long key;
    private long id;
    private long count;
    private long owner = -1;
    private long from;

    Output(ArchiveRows rows, long slice, long key, long id) {
      this.rows = rows;
      this.slice = slice;
      this.key = key;
      this.id = id;
    }

    void add(Input input) throws SQLException {
      long nextKey = input.decoder.key();
      long nextId = input.decoder.id();
      if (nextKey == key && nextId == id) {
        return;
      }
      key = nextKey;
      id = nextId;
      if (IndexKey.owner(key) != owner) {
        owner = IndexKey.owner(key);
        from = rows.archivedFrom(owner);
      }
      if (id >= from) {
        encoder.add(key, id, input.decoder.resource());
        count++;
        if (encoder.isFull()) {
          rows.slices().add(slice, encoder);
        }
      }
    }

    void finish() throws SQLException {
      rows.slices().add(slice, encoder);
      rows.slices().flush();
    }
  }
}
