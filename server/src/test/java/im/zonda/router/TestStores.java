package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreState;
import im.zonda.store.Stores;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Stores in which every account exists, and whose log commits at once and forgets. Any thread may
/// call.
final class TestStores implements Stores, AccountStore, MessageLog {
  private final AtomicLong ids = new AtomicLong();

  @Override
  public AccountStore accounts() {
    return this;
  }

  @Override
  public MessageLog messages() {
    return this;
  }

  @Override
  public RoomStore rooms() {
    throw new UnsupportedOperationException();
  }

  @Override
  public RosterStore rosters() {
    throw new UnsupportedOperationException();
  }

  @Override
  public KeyValueStore keyValues(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MessageArchive archive() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}

  // ---- accounts

  @Override
  public @Nullable Account find(Jid jid) {
    return new Account(jid, List.of(), Instant.EPOCH);
  }

  @Override
  public List<Jid> create(List<Account> created) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean remove(Jid jid) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long count(String domain) {
    throw new UnsupportedOperationException();
  }

  // ---- the log

  @Override
  public long nextId() {
    return ids.incrementAndGet();
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting) {
    return new Receipt() {
      @Override
      public void delivered() {}

      @Override
      public void whenEnded(Ending ending) {
        ending.committed();
      }
    };
  }

  @Override
  public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
    return List.of();
  }

  @Override
  public int waitingCount(Jid owner) {
    return 0;
  }

  @Override
  public void delivered(Jid owner, List<Long> delivered) {}

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
  public void flush() {}
}
