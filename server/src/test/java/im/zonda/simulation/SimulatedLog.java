package im.zonda.simulation;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.StoreException.Category;
import im.zonda.store.StoreState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A message log in memory whose commits, failures and delays the simulation decides.
///
/// What was committed is on a [Disk], which survives the process. The waiters of each entry are
/// notified by a thread of their own, so in any order.
final class SimulatedLog implements MessageLog {
  /// What is stored.
  record Row(Entry entry, Keep keep, boolean waiting) {
    Row noLonger() {
      return new Row(entry, keep, false);
    }
  }

  /// What survives the process.
  static final class Disk {
    private final Map<Jid, NavigableMap<Long, Row>> rows = new HashMap<>();
    private long lastId;
  }

  private sealed interface Change {}

  private record Delivered(Jid owner, long id) implements Change {}

  private final class Append implements Change, Receipt {
    private final Row row;
    private final @Nullable Row sent;
    private final List<Ending> endings = new ArrayList<>(1);
    private boolean durable;
    private @Nullable StoreException failure;

    private Append(Row row, @Nullable Row sent) {
      this.row = row;
      this.sent = sent;
    }

    private List<Row> rows() {
      return sent == null ? List.of(row) : List.of(sent, row);
    }

    @Override
    public void delivered() {
      SimulatedLog.this.delivered(row.entry.owner(), List.of(row.entry.id()));
    }

    @Override
    public void whenEnded(Ending ending) {
      if (durable || failure != null) {
        tell(ending);
      } else {
        endings.add(ending);
      }
    }

    private void ended(@Nullable StoreException cause) {
      durable = cause == null;
      failure = cause;
      for (Ending ending : endings) {
        threads.execute(() -> tell(ending));
      }
      endings.clear();
    }

    private void tell(Ending ending) {
      if (failure == null) {
        ending.committed();
      } else {
        ending.failed(failure);
      }
    }
  }

  private final Disk disk;
  private final SimulatedClock clock;
  private final Turns threads;
  private final Ledger ledger;
  private final Runnable others;
  private final Map<Jid, NavigableMap<Long, Row>> view = new HashMap<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private final List<Runnable> relief = new ArrayList<>();
  private int congestion = Integer.MAX_VALUE;
  private boolean full;
  private boolean away;

  /// @param others what other threads do while one waits for the log
  SimulatedLog(Disk disk, SimulatedClock clock, Turns threads, Ledger ledger, Runnable others) {
    this.disk = disk;
    this.clock = clock;
    this.threads = threads;
    this.ledger = ledger;
    this.others = others;
    disk.rows.forEach((owner, rows) -> view.put(owner, new TreeMap<>(rows)));
  }

  // ---- what the simulation decides

  /// Whether it takes no more.
  void full(boolean now) {
    full = now;
  }

  /// Whether nothing can be written, and no home be loaded.
  void away(boolean now) {
    away = now;
  }

  boolean isAway() {
    return away;
  }

  /// More changes than this that wait for a commit are too many.
  void congestedAbove(int count) {
    congestion = count;
    relieve();
  }

  /// What waits for a commit.
  int uncommitted() {
    return changes.size();
  }

  /// Commits the oldest changes, `count` at most, in one transaction.
  ///
  /// @param fault the change among them that turns out to be at fault, if it is an entry; or -1
  void commit(int count, int fault) {
    for (int i = 0; i < count && !away && !changes.isEmpty(); i++) {
      switch (changes.remove()) {
        case Delivered(Jid owner, long id) -> settle(disk.rows, owner, id);
        case Append append -> {
          if (i == fault) {
            for (Row row : append.rows()) {
              rows(view, row.entry.owner()).remove(row.entry.id());
              ledger.refusedByStore(row);
            }
            append.ended(new StoreException(Category.DAMAGED, "at fault", null));
          } else {
            for (Row row : append.rows()) {
              rows(disk.rows, row.entry.owner()).put(row.entry.id(), row);
              ledger.durable(row);
            }
            append.ended(null);
          }
        }
      }
    }
    relieve();
  }

  private void relieve() {
    if (!congested()) {
      List<Runnable> all = List.copyOf(relief);
      relief.clear();
      all.forEach(threads::execute);
    }
  }

  // ---- the log

  @Override
  public long nextId() {
    long time = clock.instant().toEpochMilli() * 1_000;
    disk.lastId = Math.max(disk.lastId + 1, time);
    return disk.lastId;
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting) {
    return append(new Append(new Row(entry, keep, waiting), null));
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
    return append(new Append(new Row(entry, keep, waiting), new Row(sent, Keep.ARCHIVE, false)));
  }

  private Receipt append(Append append) {
    if (full) {
      append.rows().forEach(ledger::unlogged);
      throw new StoreException(Category.OVERLOADED, "full", null);
    }
    for (Row row : append.rows()) {
      rows(view, row.entry.owner()).put(row.entry.id(), row);
      ledger.appended(row);
    }
    changes.add(append);
    return append;
  }

  @Override
  public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
    others.run();
    List<Entry> found = new ArrayList<>();
    long left = bytes;
    for (Row row : rows(view, owner).tailMap(afterId, false).values()) {
      if (row.waiting && found.size() < limit && left > 0) {
        found.add(row.entry);
        left -= row.entry.message().writtenSize();
      }
    }
    return found;
  }

  @Override
  public int waitingCount(Jid owner) {
    others.run();
    check();
    return (int) rows(view, owner).values().stream().filter(Row::waiting).count();
  }

  @Override
  public void delivered(Jid owner, List<Long> ids) {
    for (long id : ids) {
      Row row = rows(view, owner).get(id);
      if (row == null || !row.waiting) {
        continue;
      }
      ledger.settled(row);
      settle(view, owner, id);
      if (row.keep == Keep.UNTIL_DELIVERED && forget(owner, id)) {
        continue;
      }
      changes.add(new Delivered(owner, id));
    }
  }

  /// Forgets an entry that is not on the disk yet and need no longer be written.
  private boolean forget(Jid owner, long id) {
    for (Change change : changes) {
      if (change instanceof Append append
          && append.sent == null
          && append.row.entry.id() == id
          && append.row.entry.owner().equals(owner)) {
        changes.remove(change);
        append.ended(null);
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean congested() {
    return changes.size() > congestion;
  }

  @Override
  public StoreState state() {
    return away
        ? new StoreState(StoreState.Kind.FAILING, clock.instant(), Category.UNAVAILABLE)
        : StoreState.STORING;
  }

  @Override
  public void onRelief(Runnable action) {
    if (congested()) {
      relief.add(action);
    } else {
      action.run();
    }
  }

  @Override
  public void flush() {
    check();
    do {
      commit(changes.size(), -1);
      threads.runAll();
    } while (!changes.isEmpty());
  }

  /// The store is closed: what it cannot write it never will.
  void close() {
    commit(changes.size(), -1);
    for (Change change : changes) {
      if (change instanceof Append append) {
        append.ended(new StoreException(Category.CLOSED, "closed", null));
      }
    }
    changes.clear();
  }

  /// Fails while the database is away.
  void check() {
    if (away) {
      throw new StoreException(Category.UNAVAILABLE, "away", null);
    }
  }

  private static void settle(Map<Jid, NavigableMap<Long, Row>> all, Jid owner, long id) {
    NavigableMap<Long, Row> rows = rows(all, owner);
    Row row = rows.get(id);
    if (row == null) {
      return;
    }
    if (row.keep == Keep.ARCHIVE) {
      rows.put(id, row.noLonger());
    } else {
      rows.remove(id);
    }
  }

  private static NavigableMap<Long, Row> rows(Map<Jid, NavigableMap<Long, Row>> all, Jid owner) {
    return all.computeIfAbsent(owner, jid -> new TreeMap<>());
  }
}
