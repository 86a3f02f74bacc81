package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.size.SizeStore;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.AuditStore;
import im.zonda.store.KeyValueStore;
import im.zonda.store.PubSubStore;
import im.zonda.store.RemoteQueueStore;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import im.zonda.store.ValueKey;
import im.zonda.trace.TraceStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Stores in memory. [#fail] makes every write fail, to see that nothing is done before it is kept.
public final class TestStores implements Stores {
  private final Map<Jid, Account> accounts = new TreeMap<>();
  private final Map<Jid, Kept> rosters = new HashMap<>();
  private final Map<String, KeyValues> keyValues = new HashMap<>();
  private final TestRoomStore rooms = new TestRoomStore(this);
  private final MemoryStores nodes = new MemoryStores(InstantSource.system());
  private final TestMessageLog log = new TestMessageLog(this);
  private final TestMessageArchive archive = new TestMessageArchive(log);
  private final TestRegistration registration = new TestRegistration(this);
  private final TestClientAccess clients = new TestClientAccess(this);
  private final TestAdministration administration = new TestAdministration();
  private final TestFiles files = new TestFiles();
  private final TestBytestreams bytestreams = new TestBytestreams();
  private @Nullable Supplier<RuntimeException> failure;
  private int rosterWrites;

  private static final class Kept {
    private final Map<Jid, RosterItem> items = new LinkedHashMap<>();
    private long version;
  }

  /// From now on writes fail that way; null lets them succeed again.
  public void fail(StoreException.@Nullable Category category) {
    failure =
        category == null ? null : () -> new StoreException(category, "the test wants it so", null);
  }

  /// From now on writes, and what is done every so often, fail by a defect; null lets them succeed
  /// again.
  public void failBy(@Nullable RuntimeException defect) {
    failure = defect == null ? null : () -> defect;
  }

  /// The contents of files.
  public TestFiles files() {
    return files;
  }

  /// The bytestreams proxy.
  public TestBytestreams bytestreams() {
    return bytestreams;
  }

  /// What administrators do with the host.
  public TestAdministration administration() {
    return administration;
  }

  /// How often a roster was written.
  public int rosterWrites() {
    return rosterWrites;
  }

  /// Registers accounts.
  public TestRegistration registration() {
    return registration;
  }

  /// The clients of accounts.
  public TestClientAccess clients() {
    return clients;
  }

  void writing() {
    if (failure != null) {
      throw failure.get();
    }
  }

  /// Forgets the values and messages of an owner.
  void forget(Jid owner) {
    keyValues.values().forEach(store -> store.values.remove(owner));
    log.forget(owner);
  }

  @Override
  public AccountStore accounts() {
    return new Accounts();
  }

  @Override
  public TestRoomStore rooms() {
    return rooms;
  }

  @Override
  public PubSubStore pubSub() {
    nodes.beforeCall(this::writing);
    return nodes.pubSub();
  }

  @Override
  public UploadStore uploads() {
    nodes.beforeCall(this::writing);
    return nodes.uploads();
  }

  @Override
  public AuditStore audit() {
    nodes.beforeCall(this::writing);
    return nodes.audit();
  }

  @Override
  public JournalStore journal() {
    return nodes.journal();
  }

  @Override
  public TraceStore traces() {
    return nodes.traces();
  }

  @Override
  public SizeStore sizes() {
    return nodes.sizes();
  }

  @Override
  public HistoryStore history() {
    return nodes.history();
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    throw new UnsupportedOperationException("modules use no queues for remote domains");
  }

  @Override
  public RosterStore rosters() {
    return new Rosters();
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return keyValues.computeIfAbsent(name, missing -> new KeyValues());
  }

  @Override
  public TestMessageLog messages() {
    return log;
  }

  @Override
  public TestMessageArchive archive() {
    return archive;
  }

  @Override
  public void close() {}

  private final class Accounts implements AccountStore {
    @Override
    public @Nullable Account find(Jid jid) {
      return accounts.get(jid);
    }

    @Override
    public List<Jid> create(List<Account> wanted) {
      writing();
      List<Jid> existing = new ArrayList<>();
      for (Account account : wanted) {
        if (rooms.find(account.jid()) != null
            || accounts.putIfAbsent(account.jid(), account) != null) {
          existing.add(account.jid());
        } else {
          nodes.accounts().create(List.of(account));
        }
      }
      return existing;
    }

    @Override
    public Creation create(Account account, ValueKey permission) {
      if (accounts.containsKey(account.jid()) || rooms.find(account.jid()) != null) {
        return Creation.ADDRESS_TAKEN;
      }
      if (!keyValues(permission.store()).remove(permission.owner(), permission.key())) {
        return Creation.NO_PERMISSION;
      }
      create(List.of(account));
      return Creation.DONE;
    }

    @Override
    public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
      writing();
      return accounts.computeIfPresent(
              jid, (same, account) -> new Account(jid, keys, account.created()))
          != null;
    }

    @Override
    public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
      throw new UnsupportedOperationException("no module adds keys");
    }

    @Override
    public boolean remove(Jid jid) {
      writing();
      if (accounts.remove(jid) == null) {
        return false;
      }
      rosters.remove(jid);
      nodes.accounts().remove(jid);
      nodes.accounts().release(jid);
      forget(jid);
      return true;
    }

    @Override
    public List<Removed> removed(String domain, @Nullable Jid from, int limit) {
      return List.of();
    }

    @Override
    public boolean release(Jid jid) {
      return false;
    }

    @Override
    public List<Jid> list(String domain, @Nullable Jid after, int limit) {
      return accounts.keySet().stream()
          .filter(jid -> jid.domain().equals(domain))
          .filter(jid -> after == null || jid.compareTo(after) > 0)
          .limit(limit)
          .toList();
    }

    @Override
    public long count(String domain) {
      return accounts.keySet().stream().filter(jid -> jid.domain().equals(domain)).count();
    }
  }

  private final class Rosters implements RosterStore {
    @Override
    public Roster load(Jid owner) {
      Kept kept = rosters.get(owner);
      return kept == null
          ? new Roster(0, List.of())
          : new Roster(kept.version, List.copyOf(kept.items.values()));
    }

    @Override
    public long put(Jid owner, RosterItem item) {
      Kept kept = change(owner);
      kept.items.put(item.jid(), item);
      return kept.version;
    }

    @Override
    public long remove(Jid owner, Jid contact) {
      Kept kept = change(owner);
      kept.items.remove(contact);
      return kept.version;
    }

    @Override
    public List<Jid> subscribedOwners(Jid contact, int limit) {
      throw new UnsupportedOperationException("only the removal of accounts in the server asks");
    }

    private Kept change(Jid owner) {
      writing();
      rosterWrites++;
      Kept kept = rosters.computeIfAbsent(owner, missing -> new Kept());
      kept.version++;
      return kept;
    }
  }

  private final class KeyValues implements KeyValueStore {
    private final Map<Jid, Map<String, byte[]>> values = new HashMap<>();

    @Override
    public byte @Nullable [] get(Jid owner, String key) {
      byte[] value = values.getOrDefault(owner, Map.of()).get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public Map<String, byte[]> all(Jid owner) {
      Map<String, byte[]> copy = new TreeMap<>();
      values.getOrDefault(owner, Map.of()).forEach((key, value) -> copy.put(key, value.clone()));
      return copy;
    }

    @Override
    public SequencedMap<Jid, byte[]> find(
        String domain, String key, byte[] text, @Nullable Jid after, int limit) {
      String wanted = new String(text, StandardCharsets.UTF_8);
      SequencedMap<Jid, byte[]> found = new LinkedHashMap<>();
      values.keySet().stream()
          .filter(owner -> owner.domain().equals(domain))
          .filter(owner -> after == null || owner.compareTo(after) > 0)
          .sorted()
          .forEach(owner -> {
            byte[] value = get(owner, key);
            if (value != null
                && found.size() < limit
                && new String(value, StandardCharsets.UTF_8).contains(wanted)) {
              found.put(owner, value);
            }
          });
      return found;
    }

    @Override
    public void put(Jid owner, String key, byte[] value) {
      writing();
      values.computeIfAbsent(owner, missing -> new TreeMap<>()).put(key, value.clone());
    }

    @Override
    public boolean remove(Jid owner, String key) {
      writing();
      return values.getOrDefault(owner, new TreeMap<>()).remove(key) != null;
    }
  }
}
