package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.log.OwnerIds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Fills the index tables of the archive asynchronously.
///
/// Runs of rows are read from the end of the log and kept in memory, where queries read them too.
/// When there are enough, they are sorted and written in portions; a mark is advanced in the same
/// transaction as the last portion. After a crash, everything after the mark is read again. A late
/// row, whose id is below what has been read already, is indexed in its own transaction.
public final class ArchiveIndex {
  /// Rows that are written to one table in one portion.
  private static final int WRITTEN_ROWS = 1_024;

  /// The part of the state that queries need.
  ///
  /// @param runs the runs that are not completely in the tables
  /// @param read the highest id that has been read
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

  /// The view for a query that begins after this call.
  View view() {
    return view;
  }

  /// Whether the id is below what has been read already.
  boolean isLate(long id) {
    return id <= read;
  }

  /// Counts an entry that was added to the log and has not been read.
  void added() {
    unread++;
  }

  /// Removes an entry that is being deleted from the log.
  void removed(long id) {
    if (isLate(id) && (nextRun != null || !view.runs.isEmpty())) {
      removed.add(id);
    }
  }

  /// Whether there are enough entries for a portion.
  boolean isDue() {
    return behind || unread >= ArchiveRun.ROWS || view.runs.size() == ArchiveSlice.RUNS;
  }

  /// Runs a portion and returns whether there is more to do. Takes effect with [#committed]; may
  /// run again after [#rolledBack].
  boolean runPortion(ArchiveRows rows) throws SQLException {
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
      // Left for queries to read from the log.
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
    long owner = OwnerIds.NONE;
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
  void rolledBack() {
    nextRun = null;
    read = readBefore;
    writtenNext = written;
  }
}
