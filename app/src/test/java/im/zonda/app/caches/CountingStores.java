package im.zonda.app.caches;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.size.SizeStore;
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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Stores that note every query, below the caches. What the message log appends is no query, and
/// neither are writes.
final class CountingStores implements Stores {
  /// The methods that read the database; `readHome` takes one statement (`ReadHomeTest`).
  private static final Set<String> QUERIES =
      Set.of(
          "find",
          "load",
          "get",
          "all",
          "list",
          "count",
          "listed",
          "temporary",
          "created",
          "page",
          "holds",
          "waiting",
          "waitingCount");

  private final Stores stores;
  private final Queue<String> queries = new ConcurrentLinkedQueue<>();

  CountingStores(Stores stores) {
    this.stores = stores;
  }

  /// The queries since the last call.
  List<String> take() {
    List<String> taken = List.copyOf(queries);
    queries.clear();
    return taken;
  }

  private <T> T counting(Class<T> port, T store, String name) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              if (QUERIES.contains(method.getName())) {
                queries.add(name + "." + method.getName());
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Override
  public AccountStore accounts() {
    return counting(AccountStore.class, stores.accounts(), "accounts");
  }

  @Override
  public RosterStore rosters() {
    return counting(RosterStore.class, stores.rosters(), "rosters");
  }

  @Override
  public RoomStore rooms() {
    return counting(RoomStore.class, stores.rooms(), "rooms");
  }

  @Override
  public PubSubStore pubSub() {
    return counting(PubSubStore.class, stores.pubSub(), "pubSub");
  }

  @Override
  public UploadStore uploads() {
    return counting(UploadStore.class, stores.uploads(), "uploads");
  }

  @Override
  public AuditStore audit() {
    return counting(AuditStore.class, stores.audit(), "audit");
  }

  @Override
  public JournalStore journal() {
    return counting(JournalStore.class, stores.journal(), "journal");
  }

  @Override
  public TraceStore traces() {
    return counting(TraceStore.class, stores.traces(), "traces");
  }

  @Override
  public SizeStore sizes() {
    return counting(SizeStore.class, stores.sizes(), "sizes");
  }

  @Override
  public HistoryStore history() {
    return counting(HistoryStore.class, stores.history(), "history");
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    return counting(RemoteQueueStore.class, stores.remoteQueues(), "remoteQueues");
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return counting(KeyValueStore.class, stores.keyValues(name), name);
  }

  @Override
  public MessageLog messages() {
    return counting(MessageLog.class, stores.messages(), "messages");
  }

  @Override
  public ClusterLog clusterLog() {
    return counting(ClusterLog.class, stores.clusterLog(), "messages");
  }

  @Override
  public MessageArchive archive() {
    return counting(MessageArchive.class, stores.archive(), "archive");
  }

  @Override
  public Map<String, Map<String, byte[]>> readValues(Jid owner, Set<String> names) {
    queries.add("values");
    return stores.readValues(owner, names);
  }

  @Override
  public @Nullable HomeData readHome(Jid account, Set<String> names, long newest) {
    queries.add("home");
    return stores.readHome(account, names, newest);
  }

  @Override
  public void close() {
    stores.close();
  }
}
