package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The packed index of the archive (decision 0015).
///
/// Entries are collected in runs in memory as the writer adds them; queries read them there. When
/// there are enough, they are sorted and written as a slice. Several slices of one level are merged
/// into one of the next, so that there are never many. After a crash, everything after a mark is
/// read from the log again. An entry whose id is not above the mark when it is added is late: it is
/// written to the index in its own transaction.
///
/// In a cluster every entry is late, so no node has a part of the index in memory. Slices are
/// neither written nor merged then.
///
/// Confined to the writer thread, except [#view]. What a transaction changes takes effect with
/// [#committed], or never, with [#rolledBack].
public final class ArchiveIndex {
  /// The mark of a log that nodes of a cluster write: every entry is late.
  public static final long SHARED = Long.MAX_VALUE;

  /// No entry with an id that is older, in microseconds, is still to be written by another node.
  private static final long LATEST = 3_600_000_000L;

  /// Rows that are read from the log in one portion.
  private static final int SCANNED_ROWS = 2_048;

  /// Rows whose entries are written in one portion, for each slice that waits in memory: the more
  /// wait, the faster they are written.
  private static final int WRITTEN_ROWS = 8_192;

  /// Rows of slices that are deleted in one portion.
  private static final int DELETED_ROWS = 256;

  /// The part of the state that queries need.
  ///
  /// @param runs the runs that are not completely in slices
  /// @param read what is after this id is in the log only; the highest possible id if everything
  ///   has been read
  /// @param uncommitted whether rows of the current transaction are included
  record View(List<ArchiveRun> runs, long read, boolean uncommitted) {
    /// Passes the ids of an owner's entries in the runs to `taker`.
    void forEach(long owner, ArchiveRange range, LongConsumer taker) {
      for (ArchiveRun run : runs) {
        run.forEach(owner, range, uncommitted, taker);
      }
    }
  }

  /// The state that a transaction may change.
  ///
  /// @param runs the runs, of which the last may not be full
  /// @param read all rows up to this id have been read from the log; the highest possible id if all
  ///   have been, and those that are added now are passed on by the writer
  /// @param mark everything up to this id is in slices
  /// @param writing the slice that is being written, or null
  /// @param merge the merge that is being done, or null
  /// @param tidy whether no slices are to be merged or deleted
  private record State(
      List<ArchiveRun> runs,
      long read,
      long mark,
      @Nullable Writing writing,
      @Nullable SliceMerge merge,
      boolean tidy) {
    State withRuns(List<ArchiveRun> changed) {
      return new State(changed, read, mark, writing, merge, tidy);
    }

    State withRead(long changed) {
      return new State(runs, changed, mark, writing, merge, tidy);
    }

    State withWriting(@Nullable Writing changed) {
      return new State(runs, read, mark, changed, merge, tidy);
    }

    State withMerge(@Nullable SliceMerge changed, boolean isTidy) {
      return new State(runs, read, mark, writing, changed, isTidy);
    }
  }

  /// A slice that is being written.
  ///
  /// @param number its number
  /// @param slice its entries
  /// @param owners the number of owners whose entries have been written
  private record Writing(long number, ArchiveSlice slice, int owners) {}

  private final boolean shared;
  private volatile View view;

  /// No owner's archive has been purged above this id in this process. Ids of earlier processes are
  /// below those that are issued now.
  private long purgedTo = Long.MIN_VALUE;

  private State state;

  /// The state if the current transaction is committed.
  private State next;

  /// @param indexedTo the mark
  public ArchiveIndex(long indexedTo) {
    shared = indexedTo == SHARED;
    state = new State(List.of(), indexedTo, indexedTo, null, null, shared);
    next = state;
    view = new View(List.of(), indexedTo, false);
  }

  /// The view for a query that begins after this call.
  View view() {
    return view;
  }

  /// The view for a query within the current transaction.
  View viewInside() {
    return new View(next.runs, next.read, true);
  }

  /// Whether other nodes write the log.
  boolean isShared() {
    return shared;
  }

  /// Whether rows of the log have not been read yet.
  boolean isBehind() {
    return next.read != Long.MAX_VALUE;
  }

  /// Whether a slice is to be written: its runs wait in memory.
  boolean isUrgent() {
    return next.writing != null || next.runs.size() > ArchiveSlice.RUNS;
  }

  /// Whether there is something to do in the background.
  boolean isDue() {
    return isUrgent() || isBehind() || !next.tidy;
  }

  /// Adds an archived entry that has been added to the log.
  void add(ArchiveRows rows, long owner, long id, Jid with) throws SQLException {
    if (id < purgedTo && rows.archivedFrom(owner) > id) {
      rows.setArchivedFrom(owner, id);
    }
    if (id <= (isBehind() ? next.read : next.mark)) {
      rows.addLate(owner, id, IndexKey.with(with));
    } else if (!isBehind()) {
      collect(owner, id, IndexKey.with(with));
    }
  }

  private void collect(long owner, long id, int with) {
    if (next.runs.isEmpty() || next.runs.getLast().isFull()) {
      List<ArchiveRun> runs = new ArrayList<>(next.runs);
      runs.add(new ArchiveRun());
      next = next.withRuns(List.copyOf(runs));
    }
    next.runs.getLast().add(owner, id, with);
  }

  /// Records that all archived entries of an owner below an id were removed. In a cluster not for
  /// the last hour: another node may still write the copy of a message that the owner has sent.
  ///
  /// @param now the time in microseconds
  void purged(ArchiveRows rows, long owner, long before, long now) throws SQLException {
    if (shared) {
      long from = Math.min(before, now - LATEST);
      if (from > rows.archivedFrom(owner)) {
        rows.setArchivedFrom(owner, from);
      }
      return;
    }
    rows.setArchivedFrom(owner, before);
    rows.slices().deleteLate(owner, before);
    purgedTo = Math.max(purgedTo, before);
  }

  /// Has removed messages counted, so that the slices they are in are rewritten some time.
  void removed(ArchiveRows rows, List<Long> ids) throws SQLException {
    List<Slice> slices = rows.slices().slices();
    for (Slice slice : slices) {
      long count =
          slice.isLive()
              ? ids.stream().filter(id -> id >= slice.first() && id <= slice.last()).count()
              : 0;
      if (count > 0) {
        rows.slices().countRemoved(slice, 2 * count);
        next = next.withMerge(next.merge, shared);
      }
    }
  }

  /// Runs a portion.
  void runPortion(ArchiveRows rows) throws SQLException {
    if (isUrgent()) {
      write(rows);
    } else if (next.tidy || !tidyUp(rows)) {
      if (isBehind()) {
        scan(rows);
      }
    }
  }

  private void scan(ArchiveRows rows) throws SQLException {
    long last = rows.scan(next.read, SCANNED_ROWS, this::collect);
    next = next.withRead(last);
  }

  private void write(ArchiveRows rows) throws SQLException {
    Writing now = next.writing;
    if (now == null) {
      long number = rows.slices().start(rows.slices().slices());
      now = new Writing(number, new ArchiveSlice(next.runs.subList(0, ArchiveSlice.RUNS)), 0);
    }
    ArchiveSlice slice = now.slice;
    ChunkEncoder encoder = new ChunkEncoder();
    long number = now.number;
    int owner = now.owners;
    int waiting = Math.max(1, next.runs.size() / ArchiveSlice.RUNS);
    int end = slice.rowsBefore(owner) + waiting * WRITTEN_ROWS;
    while (owner < slice.owners() && slice.rowsBefore(owner) < end) {
      slice.forEach(
          owner,
          (key, id, resource) -> {
            encoder.add(key, id, resource);
            if (encoder.isFull()) {
              rows.slices().add(number, encoder);
            }
          });
      owner++;
    }
    rows.slices().add(number, encoder);
    rows.slices().flush();
    if (owner < slice.owners()) {
      next = next.withWriting(new Writing(number, slice, owner));
    } else {
      complete(rows, number, slice);
    }
  }

  private void complete(ArchiveRows rows, long number, ArchiveSlice slice) throws SQLException {
    long last = slice.last();
    rows.slices().finish(new Slice(number, 0, slice.first(), last, 2L * slice.rows(), 0));
    List<ArchiveRun> left = List.copyOf(next.runs.subList(ArchiveSlice.RUNS, next.runs.size()));
    long mark = last;
    for (ArchiveRun run : left) {
      mark = Math.min(mark, run.lowest() - 1);
    }
    mark = Math.max(mark, next.mark);
    rows.indexedTo(mark);
    next = new State(left, next.read, mark, null, next.merge, false);
  }

  /// Merges or deletes slices. Returns false if there is nothing to do.
  private boolean tidyUp(ArchiveRows rows) throws SQLException {
    List<Slice> slices = rows.slices().slices();
    SliceMerge merge = next.merge == null ? nextMerge(rows, slices) : next.merge;
    if (merge != null) {
      next = next.withMerge(merge.run(rows, SliceMerge.PORTION), false);
      return true;
    }
    for (Slice slice : slices) {
      // One that is being written has been left by an earlier process.
      if (!slice.isLive()) {
        rows.slices().delete(slice, DELETED_ROWS);
        return true;
      }
    }
    next = next.withMerge(null, true);
    return false;
  }

  private static @Nullable SliceMerge nextMerge(ArchiveRows rows, List<Slice> slices)
      throws SQLException {
    int levels = slices.stream().mapToInt(Slice::level).max().orElse(-1) + 1;
    for (int level = 0; level < levels; level++) {
      int wanted = level;
      List<Slice> same = slices.stream().filter(slice -> slice.level() == wanted).toList();
      if (same.size() >= SliceMerge.FAN_IN) {
        return new SliceMerge(
            same.subList(0, SliceMerge.FAN_IN), rows.slices().start(slices), level + 1);
      }
      for (Slice slice : same) {
        if (slice.isMostlyRemoved()) {
          return new SliceMerge(List.of(slice), rows.slices().start(slices), level);
        }
      }
    }
    return null;
  }

  /// The transaction is durable.
  void committed() {
    if (next.runs.isEmpty() && next.equals(state)) {
      return;
    }
    next.runs.forEach(ArchiveRun::publish);
    if (!next.runs.equals(state.runs) || next.read != state.read) {
      view = new View(next.runs, next.read, false);
    }
    state = next;
  }

  /// The last transaction was rolled back, or committed without an answer. What was being written
  /// is begun again: a slice that is left incomplete is deleted later, and entries that are in two
  /// slices do no harm.
  ///
  /// @param mark the mark in the database
  void restart(long mark) {
    state = new State(state.runs, state.read, Math.max(state.mark, mark), null, null, shared);
    next = state;
  }

  /// The transaction was rolled back.
  void rolledBack() {
    next.runs.forEach(ArchiveRun::discard);
    next = state;
    next.runs.forEach(ArchiveRun::discard);
  }
}
