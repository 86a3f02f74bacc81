package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/// A message log in memory. Commits happen at once unless [#holdCommits] was called.
public final class TestMessageLog implements MessageLog, ClusterLog {
  private static final class Kept {
    private final Entry entry;
    private final Keep keep;
    private boolean waiting;

    Kept(Entry entry, Keep keep, boolean waiting) {
      this.entry = entry;
      this.keep = keep;
      this.waiting = waiting;
    }
  }

  private final TestStores stores;
  private final TreeMap<Long, Kept> kept = new TreeMap<>();
  private final List<Ending> committing = new ArrayList<>();
  private final List<Runnable> relief = new ArrayList<>();
  private long lastId = 1_000_000;
  private boolean held;
  private boolean congested;
  private boolean originsKept;
  private StoreState state = StoreState.STORING;

  TestMessageLog(TestStores stores) {
    this.stores = stores;
  }

  /// From now on entries become durable only with [#flush].
  public void holdCommits() {
    held = true;
  }

  /// From now on this is the log of a cluster.
  public void keepOrigins() {
    originsKept = true;
  }

  @Override
  public boolean keepsOrigins() {
    return originsKept;
  }

  /// What was held back is not stored and never will be.
  public void failHeld(StoreException.Category category) {
    List<Ending> now = List.copyOf(committing);
    committing.clear();
    now.forEach(ending -> ending.failed(new StoreException(category, "as the test wants", null)));
  }

  /// Says whether the log is congested; the end of it runs what waits for relief.
  public void congested(boolean now) {
    congested = now;
    if (!now) {
      List<Runnable> waiting = List.copyOf(relief);
      relief.clear();
      waiting.forEach(Runnable::run);
    }
  }

  /// Says how the store is doing.
  public void state(StoreState now) {
    state = now;
  }

  /// Appends a message that an account has got.
  Receipt append(Jid owner, Message message) {
    Entry entry = new Entry(owner, nextId(), Objects.requireNonNull(message.from()), message);
    return append(entry, Keep.ARCHIVE, false);
  }

  /// All entries of an owner, in order.
  public List<Entry> entries(Jid owner) {
    return kept.values().stream()
        .map(each -> each.entry)
        .filter(entry -> entry.owner().equals(owner))
        .toList();
  }

  /// The archived entries of an owner, in order.
  List<Entry> archived(Jid owner) {
    return kept.values().stream()
        .filter(each -> each.keep == Keep.ARCHIVE && each.entry.owner().equals(owner))
        .map(each -> each.entry)
        .toList();
  }

  /// Whether an entry waits.
  boolean isWaiting(long id) {
    Kept entry = kept.get(id);
    return entry != null && entry.waiting;
  }

  /// Removes an entry.
  void remove(long id) {
    stores.writing();
    kept.remove(id);
  }

  /// Changes the message of an archived entry; false if there is none.
  boolean replace(Jid owner, long id, Message message) {
    stores.writing();
    Kept old = kept.get(id);
    if (old == null || old.keep != Keep.ARCHIVE || !old.entry.owner().equals(owner)) {
      return false;
    }
    kept.put(id, new Kept(new Entry(owner, id, old.entry.with(), message), old.keep, old.waiting));
    return true;
  }

  @Override
  public long nextId() {
    return ++lastId;
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting) {
    stores.writing();
    kept.put(entry.id(), new Kept(entry, keep, waiting));
    return new Receipt() {
      @Override
      public void delivered() {
        TestMessageLog.this.delivered(entry.owner(), List.of(entry.id()));
      }

      @Override
      public void whenEnded(Ending ending) {
        if (held) {
          committing.add(ending);
        } else {
          ending.committed();
        }
      }
    };
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
    throw new UnsupportedOperationException(
        "not used: only the engine appends entries for two owners");
  }

  @Override
  public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
    return kept.tailMap(afterId, false).values().stream()
        .filter(each -> each.waiting && each.entry.owner().equals(owner))
        .limit(limit)
        .map(each -> each.entry)
        .toList();
  }

  @Override
  public int waitingCount(Jid owner) {
    return waiting(owner, Long.MIN_VALUE, Integer.MAX_VALUE).size();
  }

  @Override
  public void delivered(Jid owner, List<Long> ids) {
    for (Long id : ids) {
      Kept entry = kept.get(id);
      if (entry != null && entry.entry.owner().equals(owner)) {
        entry.waiting = false;
        if (entry.keep == Keep.UNTIL_DELIVERED) {
          kept.remove(id);
        }
      }
    }
  }

  @Override
  public boolean congested() {
    return congested;
  }

  @Override
  public StoreState state() {
    return state;
  }

  @Override
  public void onRelief(Runnable action) {
    if (congested) {
      relief.add(action);
    } else {
      action.run();
    }
  }

  @Override
  public void flush() {
    List<Ending> now = List.copyOf(committing);
    committing.clear();
    now.forEach(Ending::committed);
  }

  void forget(Jid owner) {
    kept.values().removeIf(each -> each.entry.owner().equals(owner));
  }
}
