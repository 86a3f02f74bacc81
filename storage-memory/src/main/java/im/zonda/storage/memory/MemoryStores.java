package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.size.SizeStore;
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
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import im.zonda.store.UploadStore;
import im.zonda.trace.TraceStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Stores in memory, for tests. Entries of the log are durable as soon as they are appended. Any
/// thread may call.
public final class MemoryStores implements Stores {
  private final MemoryData data;
  private final InstantSource time;
  private volatile boolean closed;
  private volatile Runnable beforeCall = () -> {};

  /// Empty stores.
  public MemoryStores(InstantSource time) {
    this(new MemoryData(), time);
  }

  /// Stores that hold what `data` holds.
  public MemoryStores(MemoryData data, InstantSource time) {
    this.data = data;
    this.time = time;
  }

  /// Empty stores with accounts that have no keys.
  public static MemoryStores withAccounts(InstantSource time, Jid... accounts) {
    MemoryStores stores = new MemoryStores(time);
    stores
        .accounts()
        .create(
            Arrays.stream(accounts)
                .map(jid -> new Account(jid, List.of(), Instant.EPOCH))
                .toList());
    return stores;
  }

  /// Runs `action` before each later call, on the caller's thread. What it throws, the call throws.
  /// Calls of [MessageLog] that never block are not included.
  public void beforeCall(Runnable action) {
    beforeCall = action;
  }

  /// Makes every later call fail.
  public void fail(StoreException.Category category) {
    beforeCall(() -> {
      throw new StoreException(category, "made to fail by the test", null);
    });
  }

  /// Runs a call alone, unless the stores are closed.
  <T extends @Nullable Object> T call(Supplier<T> call) {
    if (closed) {
      throw new StoreException(StoreException.Category.CLOSED, "the store is closed", null);
    }
    beforeCall.run();
    synchronized (data) {
      return call.get();
    }
  }

  MemoryData data() {
    return data;
  }

  /// An id of the message log: microseconds since 1970, larger than every one before.
  long nextId() {
    Instant now = time.instant();
    synchronized (data) {
      long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
      data.lastId = Math.max(data.lastId + 1, micros);
      return data.lastId;
    }
  }

  @Override
  public AccountStore accounts() {
    return new MemoryAccounts(this);
  }

  @Override
  public List<Jid> createAccounts(List<FilledAccount> accounts) {
    return call(() -> Stores.super.createAccounts(accounts));
  }

  @Override
  public Removal removeAccounts(Set<Jid> accounts, Set<Jid> next, Set<Jid> reserve) {
    return call(() -> {
      Removal removal = Stores.super.removeAccounts(accounts, next, reserve);
      List<Jid> reserved = new ArrayList<>();
      for (Jid each : removal.removed()) {
        Map<Jid, Subscription> contacts =
            new HashMap<>(Objects.requireNonNull(data.removed.remove(each)));
        contacts.keySet().removeAll(accounts);
        contacts.keySet().removeAll(next);
        if (!contacts.isEmpty() || reserve.contains(each) || hasTraces(each, next)) {
          data.removed.put(each, contacts);
          reserved.add(each);
        }
      }
      return new Removal(removal.removed(), reserved);
    });
  }

  /// Whether others have something about a user, except for rosters of those who go next.
  private boolean hasTraces(Jid user, Set<Jid> next) {
    return !next.containsAll(rosters().subscribedOwners(user, Integer.MAX_VALUE))
        || !rooms().affiliatedRooms(user, 1).isEmpty()
        || !pubSub().placesOf(user, 1).isEmpty()
        || data.removedRooms.values().stream()
            .anyMatch(room -> room.owner().affiliations.containsKey(user));
  }

  @Override
  public RosterStore rosters() {
    return new MemoryRosters(this);
  }

  @Override
  public RoomStore rooms() {
    return new MemoryRooms(this);
  }

  @Override
  public PubSubStore pubSub() {
    return new MemoryPubSub(this);
  }

  @Override
  public AuditStore audit() {
    return new MemoryAudit(this);
  }

  @Override
  public JournalStore journal() {
    return new MemoryJournal(this);
  }

  @Override
  public TraceStore traces() {
    return new MemoryTraces(this);
  }

  @Override
  public SizeStore sizes() {
    return new MemorySizes(this);
  }

  @Override
  public HistoryStore history() {
    return new MemoryHistory(this);
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    return new MemoryRemoteQueues(this);
  }

  @Override
  public UploadStore uploads() {
    return new MemoryUploads(this);
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return new MemoryKeyValues(this, name);
  }

  @Override
  public MessageLog messages() {
    return new MemoryMessageLog(this);
  }

  @Override
  public ClusterLog clusterLog() {
    return new MemoryMessageLog(this);
  }

  @Override
  public MessageArchive archive() {
    return new MemoryArchive(this);
  }

  @Override
  public void close() {
    closed = true;
  }
}
