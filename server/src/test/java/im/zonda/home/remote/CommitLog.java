package im.zonda.home.remote;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message log whose entries are durable when the test says so; a kill loses the others.
final class CommitLog implements MessageLog {
  private final MessageLog disk;
  private final PlantedFault fault;
  private final Deque<Pending> uncommitted = new ArrayDeque<>();

  CommitLog(MessageLog disk, PlantedFault fault) {
    this.disk = disk;
    this.fault = fault;
  }

  private final class Pending implements Receipt {
    private final Entry entry;
    private final Keep keep;
    private final List<Ending> endings = new ArrayList<>();
    private @Nullable Receipt stored;
    private boolean delivered;

    private Pending(Entry entry, Keep keep) {
      this.entry = entry;
      this.keep = keep;
    }

    @Override
    public void delivered() {
      delivered = true;
      if (stored != null) {
        stored.delivered();
      }
    }

    @Override
    public void whenEnded(Ending ending) {
      if (fault == PlantedFault.ACKNOWLEDGED_BEFORE_THE_COMMIT) {
        ending.committed();
      } else {
        endings.add(ending);
      }
    }

    private void commit() {
      if (!delivered) {
        stored = disk.append(entry, keep, true);
      }
      endings.forEach(Ending::committed);
    }
  }

  /// Commits the oldest entry; false if there is none.
  boolean commitOne() {
    Pending oldest = uncommitted.poll();
    if (oldest == null) {
      return false;
    }
    oldest.commit();
    return true;
  }

  @Override
  public long nextId() {
    return disk.nextId();
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting) {
    Pending pending = new Pending(entry, keep);
    uncommitted.add(pending);
    return pending;
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
    throw new UnsupportedOperationException("a queue has no shared messages");
  }

  @Override
  public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
    flush();
    if (fault == PlantedFault.QUEUE_FORGOTTEN) {
      return List.of();
    }
    return disk.waiting(owner, afterId, limit, bytes);
  }

  @Override
  public int waitingCount(Jid owner) {
    flush();
    return disk.waitingCount(owner);
  }

  @Override
  public void delivered(Jid owner, List<Long> ids) {
    disk.delivered(owner, ids);
  }

  @Override
  public boolean congested() {
    return false;
  }

  @Override
  public StoreState state() {
    return StoreState.STORING;
  }

  @Override
  public void onRelief(Runnable action) {
    action.run();
  }

  @Override
  public void flush() {
    while (commitOne()) {
      // the next one
    }
  }
}
