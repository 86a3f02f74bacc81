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

/// Stores in memory, for tests. Entries of the log are durable as soon as they are appended. Any
/// thread may call.
public final class MemoryStores implements Stores {
  private final MemoryData data;
  private final MemoryDatabase database;

  /// Empty stores.
  public MemoryStores(InstantSource time) {
    this(new MemoryData(), time);
  }

  /// Stores that hold what `data` holds.
  public MemoryStores(MemoryData data, InstantSource time) {
    this.data = data;
    this.database = new MemoryDatabase(data, time);
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
    database.beforeCall(action);
  }

  /// Makes every later call fail.
  public void fail(StoreException.Category category) {
    database.beforeCall(() -> {
      throw new StoreException(category, "made to fail by the test", null);
    });
  }

  @Override
  public AccountStore accounts() {
    return new MemoryAccounts(database);
  }

  @Override
  public List<Jid> createAccounts(List<FilledAccount> accounts) {
    return database.call(() -> Stores.super.createAccounts(accounts));
  }

  @Override
  public Removal removeAccounts(Set<Jid> accounts, Set<Jid> next, Set<Jid> reserve) {
    return database.call(() -> {
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
    return new MemoryRosters(database);
  }

  @Override
  public RoomStore rooms() {
    return new MemoryRooms(database);
  }

  @Override
  public PubSubStore pubSub() {
    return new MemoryPubSub(database);
  }

  @Override
  public AuditStore audit() {
    return new MemoryAudit(database);
  }

  @Override
  public JournalStore journal() {
    return new MemoryJournal(database);
  }

  @Override
  public TraceStore traces() {
    return new MemoryTraces(database);
  }

  @Override
  public SizeStore sizes() {
    return new MemorySizes(database);
  }

  @Override
  public HistoryStore history() {
    return new MemoryHistory(database);
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    return new MemoryRemoteQueues(database);
  }

  @Override
  public UploadStore uploads() {
    return new MemoryUploads(database);
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return new MemoryKeyValues(database, name);
  }

  @Override
  public MessageLog messages() {
    return new MemoryMessageLog(database);
  }

  @Override
  public ClusterLog clusterLog() {
    return new MemoryMessageLog(database);
  }

  @Override
  public MessageArchive archive() {
    return new MemoryArchive(database);
  }

  @Override
  public void close() {
    database.close();
  }
}
