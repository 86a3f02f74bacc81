package im.zonda.app.resumption;

import im.zonda.jid.Jid;
import im.zonda.store.AccountStore;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.store.Stores;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/// Stores whose message log reports a commit only when the test says so.
final class GatedStores implements Stores {
  private final Stores inner;
  private final GatedLog log;

  GatedStores(Stores inner) {
    this.inner = inner;
    this.log = new GatedLog(inner.messages());
  }

  /// The number of entries whose outcome has not been reported.
  int uncommitted() {
    return log.waiting.size();
  }

  /// Sets the state that the log reports.
  void state(StoreState state) {
    log.state = state;
  }

  /// Reports the oldest waiting entry as committed.
  void commitOne() {
    log.waiting.remove().committed();
  }

  /// Reports all waiting entries as committed.
  void commitAll() {
    while (!log.waiting.isEmpty()) {
      commitOne();
    }
  }

  /// Reports that the oldest waiting entry cannot be stored.
  void failOne() {
    log.waiting
        .remove()
        .failed(
            new StoreException(StoreException.Category.DAMAGED, "made to fail by the test", null));
  }

  @Override
  public AccountStore accounts() {
    return inner.accounts();
  }

  @Override
  public RoomStore rooms() {
    return inner.rooms();
  }

  @Override
  public RosterStore rosters() {
    return inner.rosters();
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return inner.keyValues(name);
  }

  @Override
  public MessageLog messages() {
    return log;
  }

  @Override
  public MessageArchive archive() {
    return inner.archive();
  }

  @Override
  public void close() {
    inner.close();
  }

  private static final class GatedLog implements MessageLog {
    private final MessageLog inner;
    private final Queue<Ending> waiting = new ArrayDeque<>();
    private StoreState state = StoreState.STORING;

    private GatedLog(MessageLog inner) {
      this.inner = inner;
    }

    @Override
    public long nextId() {
      return inner.nextId();
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean wait) {
      return gated(inner.append(entry, keep, wait));
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean wait, Entry sent) {
      return gated(inner.append(entry, keep, wait, sent));
    }

    private Receipt gated(Receipt receipt) {
      return new Receipt() {
        @Override
        public void delivered() {
          receipt.delivered();
        }

        @Override
        public void whenEnded(Ending ending) {
          waiting.add(ending);
        }
      };
    }

    @Override
    public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
      return inner.waiting(owner, afterId, limit, bytes);
    }

    @Override
    public int waitingCount(Jid owner) {
      return inner.waitingCount(owner);
    }

    @Override
    public void delivered(Jid owner, List<Long> ids) {
      inner.delivered(owner, ids);
    }

    @Override
    public boolean congested() {
      return inner.congested();
    }

    @Override
    public StoreState state() {
      return state;
    }

    @Override
    public void onRelief(Runnable action) {
      inner.onRelief(action);
    }

    @Override
    public void flush() {
      inner.flush();
    }
  }
}
