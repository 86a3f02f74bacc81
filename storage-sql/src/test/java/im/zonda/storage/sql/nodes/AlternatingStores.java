package im.zonda.storage.sql.nodes;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.size.SizeStore;
import im.zonda.storage.contract.StoresFactory;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.AccountStore;
import im.zonda.store.AppendedOrigins;
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
import im.zonda.store.StoreState;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import im.zonda.trace.TraceStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The stores of two nodes of a cluster that use one database. Each call that concerns an owner is
/// made at the other node than the one before, which takes the owner over; only of entries that one
/// owner gets in a row, several are appended at one node.
final class AlternatingStores implements Stores {
  /// Entries in a row that one node appends.
  private static final int ROW = 64;

  private final SqlStores first;
  private final SqlStores second;
  private SqlStores home;

  /// Who has moved to [#home] with the last call, and how many entries it got there.
  private @Nullable Jid resident;

  private int entries;

  AlternatingStores(SqlStores first, SqlStores second) {
    this.first = first;
    this.second = second;
    home = first;
  }

  /// Opens two nodes.
  static StoresFactory on(TestDatabase database) {
    return (folder, settings, limits, time) -> {
      SqlStores first =
          SqlStores.openNode(
              folder,
              database.settings(folder, settings),
              limits,
              time,
              TestDatabase.process("first"));
      return new AlternatingStores(
          first,
          SqlStores.openNode(
              folder,
              database.settings(folder, settings),
              limits,
              time,
              TestDatabase.process("second")));
    };
  }

  /// Makes the other node the home, after both have written what they accepted.
  private SqlStores move() {
    flush();
    home = other();
    resident = null;
    entries = 0;
    return home;
  }

  private SqlStores move(Jid owner) {
    SqlStores node = move();
    unlessClosed(() -> node.clusterLog().takeOver(owner));
    resident = owner;
    return node;
  }

  private SqlStores nodeForEntry(Jid owner) {
    return owner.equals(resident) && ++entries < ROW ? home : move(owner);
  }

  private SqlStores other() {
    return home.equals(first) ? second : first;
  }

  private void flush() {
    unlessClosed(first.messages()::flush);
    unlessClosed(second.messages()::flush);
  }

  /// The call that follows reports that the store is closed.
  private static void unlessClosed(Runnable call) {
    try {
      call.run();
    } catch (StoreException e) {
      if (e.category() != StoreException.Category.CLOSED) {
        throw e;
      }
    }
  }

  /// Accounts have no home: each call is made at another node.
  @Override
  public List<Jid> createAccounts(List<FilledAccount> accounts) {
    return move().createAccounts(accounts);
  }

  @Override
  public Removal removeAccounts(Set<Jid> accounts, Set<Jid> next, Set<Jid> reserve) {
    return move().removeAccounts(accounts, next, reserve);
  }

  @Override
  public AccountStore accounts() {
    return move().accounts();
  }

  /// Files have no home: each call is made at another node.
  @Override
  public UploadStore uploads() {
    return move().uploads();
  }

  /// Events have no home: each call is made at another node.
  @Override
  public AuditStore audit() {
    return move().audit();
  }

  @Override
  public JournalStore journal() {
    return move().journal();
  }

  @Override
  public TraceStore traces() {
    return move().traces();
  }

  @Override
  public SizeStore sizes() {
    return move().sizes();
  }

  @Override
  public HistoryStore history() {
    return move().history();
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    flush();
    return home.remoteQueues();
  }

  @Override
  public RosterStore rosters() {
    return atOtherNode(RosterStore.class, SqlStores::rosters);
  }

  @Override
  public RoomStore rooms() {
    return atOtherNode(RoomStore.class, SqlStores::rooms);
  }

  @Override
  public PubSubStore pubSub() {
    return atOtherNode(PubSubStore.class, SqlStores::pubSub);
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return atOtherNode(KeyValueStore.class, node -> node.keyValues(name));
  }

  @Override
  public MessageArchive archive() {
    return atOtherNode(MessageArchive.class, SqlStores::archive);
  }

  /// A store of the other node than before, which takes over each owner that is called for. It
  /// stays at that node for as long as the caller keeps it: then several threads may call it at
  /// once, as those of one home do. Two nodes that write for one owner at the same time are no
  /// contract of the stores.
  private <T> T atOtherNode(Class<T> type, Function<SqlStores, T> store) {
    SqlStores node = move();
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Jid owner = arguments == null ? null : ownerOf(arguments[0]);
              if (owner != null) {
                unlessClosed(() -> node.clusterLog().takeOver(owner));
              }
              try {
                return method.invoke(store.apply(node), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static @Nullable Jid ownerOf(Object argument) {
    return switch (argument) {
      case PubSubStore.Node node -> node.owner();
      case RoomStore.Room room -> room.jid();
      case Jid owner -> owner;
      default -> null;
    };
  }

  @Override
  public MessageLog messages() {
    return new AlternatingLog();
  }

  @Override
  public @Nullable HomeData readHome(Jid account, Set<String> names, long newest) {
    return move().readHome(account, names, newest);
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }

  @Override
  public ClusterLog clusterLog() {
    return new SecondLog();
  }

  private final class SecondLog implements ClusterLog {
    @Override
    public boolean keepsOrigins() {
      return true;
    }

    @Override
    public Map<Long, Known> findOrigins(Set<Long> origins, Duration age) {
      return second.clusterLog().findOrigins(origins, age);
    }

    @Override
    public AppendedOrigins appendedOrigins(Duration age) {
      return second.clusterLog().appendedOrigins(age);
    }
  }

  private final class AlternatingLog implements MessageLog {
    @Override
    public long nextId() {
      return first.messages().nextId();
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean waiting) {
      return nodeForEntry(entry.owner()).messages().append(entry, keep, waiting);
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
      return nodeForEntry(entry.owner()).messages().append(entry, keep, waiting, sent);
    }

    @Override
    public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
      return move(owner).messages().waiting(owner, afterId, limit, bytes);
    }

    @Override
    public int waitingCount(Jid owner) {
      return move(owner).messages().waitingCount(owner);
    }

    @Override
    public void delivered(Jid owner, List<Long> ids) {
      move(owner).messages().delivered(owner, ids);
    }

    @Override
    public boolean nearlyFull() {
      return home.messages().nearlyFull();
    }

    @Override
    public boolean congested() {
      return home.messages().congested();
    }

    @Override
    public StoreState state() {
      return home.messages().state();
    }

    @Override
    public void onRelief(Runnable action) {
      home.messages().onRelief(action);
    }

    @Override
    public void flush() {
      AlternatingStores.this.flush();
      home.messages().flush();
    }
  }
}
