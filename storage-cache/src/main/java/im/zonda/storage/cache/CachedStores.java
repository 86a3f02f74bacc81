package im.zonda.storage.cache;

import im.zonda.cluster.Locality;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.size.SizeStore;
import im.zonda.storage.cache.SmallValues.OwnerValues;
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
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import im.zonda.trace.TraceStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Stores that keep in memory what they have read. All reads and writes of a server go through one
/// of these; messages and the archive are not kept, and of publish-subscribe only last items.
///
/// At a node of a cluster, only what belongs to owners whose homes are here is kept, because other
/// nodes change the rest. It is dropped when a home is loaded ([Stores#openHome],
/// [ClusterLog#takeOver]). Accounts with their keys are not kept at all: any node may change them.
public final class CachedStores implements Stores {
  /// The key-value stores whose values may be large, with a cache of their own each.
  private static final Map<String, Integer> LARGE = Map.of("vcard", 2, "private", 1);

  /// The key-value stores that are read seldom, and from any node of a cluster: invitations,
  /// circles, who has signed in on a page, who keeps accounts elsewhere, and what the admin console
  /// keeps.
  private static final Set<String> UNCACHED =
      Set.of(
          "invitations",
          "circles",
          "signins",
          "console-sessions",
          "console-challenges",
          "factors",
          "factor-passkeys",
          "provided");

  /// The names of key-value stores of plugins, and of the plugins themselves, begin so: any node of
  /// a cluster may read and write all of them.
  private static final String OF_PLUGINS = "plugin";

  private final Stores stores;
  private final CacheRegistry registry;
  private final boolean node;
  private final CachedAccounts accounts;
  private final CachedRosters rosters;
  private final CachedRooms rooms;
  private final CachedPubSub pubSub;
  private final SmallValues values;
  private final CachedMessageLog messages;
  private final CachedClusterLog clusterLog;
  private final OwnerCache<OwnerValues> ownerValues;
  private final ConcurrentMap<String, KeyValueStore> keyValues = new ConcurrentHashMap<>();

  private CachedStores(
      Stores stores,
      CacheRegistry registry,
      InstantSource clock,
      Predicate<Jid> isHere,
      boolean node) {
    this.stores = stores;
    this.registry = registry;
    this.node = node;
    // The parts add up to 16.
    accounts =
        new CachedAccounts(
            stores.accounts(),
            registry,
            registry.open(
                "accounts",
                3,
                found -> found.map(Sizes::of).orElse(0L),
                Optional::isEmpty,
                jid -> !node),
            new AccountCounts(stores.accounts()::count, clock));
    rosters =
        new CachedRosters(
            stores.rosters(),
            registry.open("rosters", 3, Sizes::of, roster -> roster.version() == 0, isHere));
    rooms =
        new CachedRooms(
            stores.rooms(),
            registry,
            registry.open(
                "rooms", 2, found -> found.map(Sizes::of).orElse(0L), Optional::isEmpty, isHere));
    pubSub =
        new CachedPubSub(
            stores.pubSub(),
            registry.open(
                "last-items",
                2,
                CachedPubSub.Known::size,
                CachedPubSub.Known::isNegative,
                jid -> jid.local() != null && isHere.test(jid)));
    // Any node changes the values of a host.
    Predicate<Jid> keepsValues = node ? jid -> jid.local() != null && isHere.test(jid) : isHere;
    ownerValues = registry.open("values", 2, OwnerValues::size, OwnerValues::isEmpty, keepsValues);
    values = new SmallValues(stores, ownerValues);
    UNCACHED.forEach(name -> keyValues.put(name, stores.keyValues(name)));
    LARGE.forEach((name, part) ->
        keyValues.put(
            name,
            new LargeValues(
                stores.keyValues(name),
                registry.open(
                    name, part, LargeValues.Known::size, LargeValues.Known::isNegative, isHere))));
    messages =
        new CachedMessageLog(
            stores.messages(), registry.open("none-waits", 1, known -> 0, known -> false, isHere));
    clusterLog = new CachedClusterLog(stores.clusterLog(), node ? registry::drop : owner -> {});
  }

  /// Puts caches in front of stores.
  public static CachedStores over(Stores stores, Limits limits, InstantSource clock) {
    return over(stores, limits.cacheBytes(), Runtime.getRuntime().maxMemory(), clock);
  }

  static CachedStores over(Stores stores, long configured, long heap, InstantSource clock) {
    CacheRegistry registry = new CacheRegistry(configured, heap, clock);
    return new CachedStores(stores, registry, clock, Locality.LOCAL::isHere, false);
  }

  /// Puts caches in front of the stores of a node of a cluster.
  ///
  /// @param placement which homes are here. When homes move, [CacheRegistry#dropIf] is called after
  ///   the placement has changed; a value that is read after that and before the home is loaded may
  ///   be older than the last change at the former node
  public static CachedStores overNode(
      Stores stores, Limits limits, InstantSource clock, Locality placement) {
    CacheRegistry registry =
        new CacheRegistry(limits.cacheBytes(), Runtime.getRuntime().maxMemory(), clock);
    return new CachedStores(stores, registry, clock, placement::isHere, true);
  }

  /// The caches.
  public CacheRegistry caches() {
    return registry;
  }

  @Override
  public AccountStore accounts() {
    return accounts;
  }

  @Override
  public List<Jid> createAccounts(List<FilledAccount> wanted) {
    return accounts.create(
        wanted.stream().map(each -> each.account().jid()).toList(),
        () -> stores.createAccounts(wanted));
  }

  @Override
  public Removal removeAccounts(Set<Jid> removed, Set<Jid> next, Set<Jid> reserve) {
    return accounts.removeAll(removed, () -> stores.removeAccounts(removed, next, reserve));
  }

  @Override
  public RosterStore rosters() {
    return rosters;
  }

  @Override
  public RoomStore rooms() {
    return rooms;
  }

  @Override
  public PubSubStore pubSub() {
    return pubSub;
  }

  @Override
  public AuditStore audit() {
    return stores.audit();
  }

  @Override
  public JournalStore journal() {
    return stores.journal();
  }

  @Override
  public TraceStore traces() {
    return stores.traces();
  }

  @Override
  public SizeStore sizes() {
    return stores.sizes();
  }

  @Override
  public HistoryStore history() {
    return stores.history();
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    return stores.remoteQueues();
  }

  @Override
  public UploadStore uploads() {
    return stores.uploads();
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return keyValues.computeIfAbsent(
        name,
        missing -> missing.startsWith(OF_PLUGINS) ? stores.keyValues(name) : values.open(name));
  }

  @Override
  public MessageLog messages() {
    return messages;
  }

  @Override
  public ClusterLog clusterLog() {
    return clusterLog;
  }

  @Override
  public MessageArchive archive() {
    return stores.archive();
  }

  @Override
  public Map<String, Map<String, byte[]>> readValues(Jid owner, Set<String> names) {
    return stores.readValues(owner, names);
  }

  @Override
  public @Nullable HomeStart openHome(Jid account, long newest) {
    if (node) {
      // No accounts are kept: the query tells whether there is one.
      registry.drop(account);
    } else if (accounts.find(account) == null) {
      return null;
    } else if (rosters.cache().peek(account) != null && ownerValues.peek(account) != null) {
      return new HomeStart(clusterLog.takeOver(account, newest), messages.waitingCount(account));
    }
    messages.takeNoneWaits(account);
    Set<String> names = values.names();
    long stamp = registry.stamps().stamp(account);
    long start = System.nanoTime();
    HomeData read = stores.readHome(account, names, newest);
    if (read == null) {
      return null;
    }
    long nanos = System.nanoTime() - start;
    rosters.cache().countMiss(nanos);
    ownerValues.countMiss(nanos);
    rosters.cache().publish(account, stamp, before -> CachedRosters.copy(read.roster()));
    ownerValues.publish(account, stamp, before -> SmallValues.of(names, read.values()));
    return read.start();
  }

  @Override
  public void close() {
    stores.close();
  }
}
