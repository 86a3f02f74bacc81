package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.AuditStore;
import im.zonda.store.ClusterLog;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RemoteQueueStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import im.zonda.store.ValueKey;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Stores below the caches: count what is read, and run something between a read or write of the
/// database and its return.
final class Probe implements Stores {
  final AtomicInteger reads = new AtomicInteger();
  volatile Runnable afterRead = () -> {};
  volatile Runnable afterWrite = () -> {};
  private final Stores stores;

  Probe(Stores stores) {
    this.stores = stores;
  }

  private <T extends @Nullable Object> T read(T value) {
    reads.incrementAndGet();
    Runnable action = afterRead;
    afterRead = () -> {};
    action.run();
    return value;
  }

  private <T> T written(T value) {
    Runnable action = afterWrite;
    afterWrite = () -> {};
    action.run();
    return value;
  }

  @Override
  public AccountStore accounts() {
    AccountStore accounts = stores.accounts();
    return new AccountStore() {
      @Override
      public @Nullable Account find(Jid jid) {
        return read(accounts.find(jid));
      }

      @Override
      public List<Jid> create(List<Account> created) {
        return written(accounts.create(created));
      }

      @Override
      public Creation create(Account account, ValueKey permission) {
        return written(accounts.create(account, permission));
      }

      @Override
      public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
        return written(accounts.changeKeys(jid, keys));
      }

      @Override
      public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
        return written(accounts.addKeys(jid, proved, added));
      }

      @Override
      public boolean remove(Jid jid) {
        return written(accounts.remove(jid));
      }

      @Override
      public List<Removed> removed(String domain, @Nullable Jid from, int limit) {
        return accounts.removed(domain, from, limit);
      }

      @Override
      public boolean release(Jid jid) {
        return accounts.release(jid);
      }

      @Override
      public List<Jid> list(String domain, @Nullable Jid after, int limit) {
        return accounts.list(domain, after, limit);
      }

      @Override
      public long count(String domain) {
        return accounts.count(domain);
      }
    };
  }

  @Override
  public KeyValueStore keyValues(String name) {
    KeyValueStore values = stores.keyValues(name);
    return new KeyValueStore() {
      @Override
      public byte @Nullable [] get(Jid owner, String key) {
        return Probe.this.<byte @Nullable []>read(values.get(owner, key));
      }

      @Override
      public Map<String, byte[]> all(Jid owner) {
        return read(values.all(owner));
      }

      @Override
      public SequencedMap<Jid, byte[]> find(
          String domain, String key, byte[] text, @Nullable Jid after, int limit) {
        return values.find(domain, key, text, after, limit);
      }

      @Override
      public void put(Jid owner, String key, byte[] value) {
        values.put(owner, key, value);
        written(true);
      }

      @Override
      public boolean remove(Jid owner, String key) {
        return written(values.remove(owner, key));
      }
    };
  }

  @Override
  public RosterStore rosters() {
    return stores.rosters();
  }

  @Override
  public RoomStore rooms() {
    return stores.rooms();
  }

  @Override
  public PubSubStore pubSub() {
    return stores.pubSub();
  }

  @Override
  public UploadStore uploads() {
    return stores.uploads();
  }

  @Override
  public AuditStore audit() {
    return stores.audit();
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    return stores.remoteQueues();
  }

  @Override
  public MessageLog messages() {
    return stores.messages();
  }

  @Override
  public ClusterLog clusterLog() {
    return stores.clusterLog();
  }

  @Override
  public @Nullable HomeData readHome(Jid account, Set<String> names, long newest) {
    return this.<@Nullable HomeData>read(stores.readHome(account, names, newest));
  }

  @Override
  public MessageArchive archive() {
    return stores.archive();
  }

  @Override
  public void close() {
    stores.close();
  }
}
