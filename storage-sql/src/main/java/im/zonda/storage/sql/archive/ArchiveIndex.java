package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.log.Owners;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Fills the index tables of the archive behind the log.
///
/// First, runs of rows are read from the log's end and kept in memory, for queries too. When there
/// are enough of them they are sorted and written in portions, and a mark is moved in the same
/// transaction as the last portion. After a crash everything after the mark is read again. A row
/// that comes into the log behind what has been read already, because its writer was slow, is
/// indexed with the row.
public final class ArchiveIndex {
  /// Rows that are written to one of the tables in one portion.
  private static final int WRITTEN_ROWS = 1_024;

  /// What queries need to know.
  ///
  /// @param runs what has been read and is not completely in the tables
  /// @param read the greatest id that has been read
  record View(List<ArchiveRun> runs, long read) {}

  private final Set<Long> removed = new HashSet<>();
  private volatile View view;
  private long read;
  private int unread;
  private boolean behind = true;
  private @Nullable ArchiveSlice slice;
  private int written;

  private @Nullable ArchiveRun nextRun;
  private long readBefore;
  private int writtenNext;

  /// @param indexedTo the mark
  public ArchiveIndex(long indexedTo) {
    read = indexedTo;
    readBefore = indexedTo;
    view = new View(List.of(), indexedTo);
  }

  /// What a query needs that begins after this call.
  View view() {
    return view;
  }

  /// Whether an entry of that id comes too late to be read.
  boolean isLate(long id) {
    return id <= read;
  }

  /// An entry was added to the log that will be read.
  void added() {
    unread++;
  }

  /// An entry is being removed from the log.
  void removed(long id) {
    if (isLate(id) && (nextRun != null || !view.runs.isEmpty())) {
      removed.add(id);
    }
  }

  /// Whether there is enough to do.
  boolean isDue() {
    return behind || unread >= ArchiveRun.ROWS || view.runs.size() == ArchiveSlice.RUNS;
  }

  /// Does a portion; whether there is more. It counts from [#committed] on, and may run again after
  /// [#undone].
  boolean portion(ArchiveRows rows) throws SQLException {
    readBefore = read;
    nextRun = null;
    writtenNext = written;
    List<ArchiveRun> runs = view.runs;
    if (runs.size() == ArchiveSlice.RUNS) {
      write(rows, runs);
      return true;
    }
    ArchiveRun run = rows.scan(read);
    if (run.size() < ArchiveRun.ROWS) {
      // Left for queries to read by themselves.
      behind = false;
      unread = run.size();
      return false;
    }
    nextRun = run;
    read = run.last();
    return behind || unread >= 2 * ArchiveRun.ROWS || runs.size() + 1 == ArchiveSlice.RUNS;
  }

  private void write(ArchiveRows rows, List<ArchiveRun> runs) throws SQLException {
    ArchiveSlice now = slice;
    if (now == null) {
      now = new ArchiveSlice(runs);
      slice = now;
    }
    int size = now.size();
    boolean peers = written >= size;
    int from = peers ? written - size : written;
    int to = Math.min(from + WRITTEN_ROWS, size);
    long owner = Owners.NONE;
    boolean known = false;
    for (int rank = from; rank < to; rank++) {
      int place = peers ? now.byPeer(rank) : now.byTime(rank);
      if (now.owner(place) != owner) {
        owner = now.owner(place);
        known = rows.isAccount(owner);
      }
      long id = now.id(place);
      if (!known || (removed.contains(id) && !rows.isMessage(id))) {
        continue;
      }
      if (peers) {
        rows.addPeer(owner, now.peer(place), id, now.resource(place));
      } else {
        rows.addTime(owner, id);
      }
    }
    writtenNext = written + to - from;
    if (writtenNext == 2 * size) {
      rows.indexedTo(now.last());
    }
  }

  /// The portion is durable.
  void committed() {
    ArchiveRun run = nextRun;
    if (run != null) {
      nextRun = null;
      List<ArchiveRun> runs = new ArrayList<>(view.runs);
      runs.add(run);
      view = new View(List.copyOf(runs), read);
      unread = Math.max(0, unread - run.size());
    }
    readBefore = read;
    written = writtenNext;
    if (slice != null && written == 2 * slice.size()) {
      slice = null;
      written = 0;
      writtenNext = 0;
      removed.clear();
      view = new View(List.of(), read);
    }
  }

  /// The portion was rolled back.
  void undone() {
    nextRun = null;
    read = readBefore;
    writtenNext = written;
  }
}
