package im.zonda.storage.sql.nodes;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.contract.StoresFactory;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.AccountStore;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RemoteQueueStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The stores of two nodes of a cluster that use one database. Each call that concerns an owner is
/// made at the other node than the one before, which takes the owner over.
final class AlternatingStores implements Stores {
  private final SqlStores first;
  private final SqlStores second;
  private SqlStores home;

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

  private SqlStores move(Jid owner) {
    flush();
    home = other();
    unlessClosed(() -> home.messages().takeOver(owner, Long.MIN_VALUE));
    return home;
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
  public AccountStore accounts() {
    flush();
    home = other();
    return home.accounts();
  }

  /// Files have no home: each call is made at another node.
  @Override
  public UploadStore uploads() {
    flush();
    home = other();
    return home.uploads();
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    flush();
    return home.remoteQueues();
  }

  @Override
  public RosterStore rosters() {
    return new RosterStore() {
      @Override
      public Roster load(Jid owner) {
        return move(owner).rosters().load(owner);
      }

      @Override
      public long put(Jid owner, RosterItem item) {
        return move(owner).rosters().put(owner, item);
      }

      @Override
      public long remove(Jid owner, Jid contact) {
        return move(owner).rosters().remove(owner, contact);
      }
    };
  }

  @Override
  public RoomStore rooms() {
    return new RoomStore() {
      @Override
      public @Nullable Stored find(Jid room) {
        return move(room).rooms().find(room);
      }

      @Override
      public void save(Room room, Collection<Affiliation> changed) {
        move(room.jid()).rooms().save(room, changed);
      }

      @Override
      public boolean remove(Jid room) {
        return move(room).rooms().remove(room);
      }

      @Override
      public List<Room> listed(
          String domain, @Nullable String after, @Nullable String text, int limit) {
        return other().rooms().listed(domain, after, text, limit);
      }

      @Override
      public List<Jid> temporary(String domain, @Nullable String after, int limit) {
        return other().rooms().temporary(domain, after, limit);
      }

      @Override
      public List<Jid> list(String domain, @Nullable String after, int limit) {
        return other().rooms().list(domain, after, limit);
      }

      @Override
      public int created(String domain, Jid user) {
        return other().rooms().created(domain, user);
      }
    };
  }

  /// Each call is made at another node, which the owner has moved to. The other node than before,
  /// for as long as the caller keeps it: then it may call at once.
  @Override
  public PubSubStore pubSub() {
    flush();
    home = other();
    SqlStores node = home;
    return (PubSubStore)
        Proxy.newProxyInstance(
            PubSubStore.class.getClassLoader(),
            new Class<?>[] {PubSubStore.class},
            (proxy, method, arguments) -> {
              Jid owner =
                  arguments[0] instanceof PubSubStore.Node saved
                      ? saved.owner()
                      : (Jid) arguments[0];
              unlessClosed(() -> node.messages().takeOver(owner, Long.MIN_VALUE));
              try {
                return method.invoke(node.pubSub(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return new KeyValueStore() {
      @Override
      public byte @Nullable [] get(Jid owner, String key) {
        return move(owner).keyValues(name).get(owner, key);
      }

      @Override
      public Map<String, byte[]> all(Jid owner) {
        return move(owner).keyValues(name).all(owner);
      }

      @Override
      public SequencedMap<Jid, byte[]> find(
          String domain, String key, byte[] text, @Nullable Jid after, int limit) {
        return other().keyValues(name).find(domain, key, text, after, limit);
      }

      @Override
      public void put(Jid owner, String key, byte[] value) {
        move(owner).keyValues(name).put(owner, key, value);
      }

      @Override
      public boolean remove(Jid owner, String key) {
        return move(owner).keyValues(name).remove(owner, key);
      }
    };
  }

  @Override
  public MessageLog messages() {
    return new AlternatingLog();
  }

  @Override
  public MessageArchive archive() {
    return new MessageArchive() {
      @Override
      public Page page(Jid owner, Filter filter, Portion portion) {
        return move(owner).archive().page(owner, filter, portion);
      }

      @Override
      public boolean holds(Jid owner, Collection<Long> ids) {
        return move(owner).archive().holds(owner, ids);
      }

      @Override
      public boolean searches() {
        return home.archive().searches();
      }

      @Override
      public boolean replace(Jid owner, long id, Message message) {
        return move(owner).archive().replace(owner, id, message);
      }

      @Override
      public int purge(Jid owner, long before, int newest, int limit) {
        return move(owner).archive().purge(owner, before, newest, limit);
      }
    };
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }

  private final class AlternatingLog implements MessageLog {
    @Override
    public long nextId() {
      return first.messages().nextId();
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean waiting) {
      return move(entry.owner()).messages().append(entry, keep, waiting);
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
      return move(entry.owner()).messages().append(entry, keep, waiting, sent);
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
    public boolean keepsOrigins() {
      return true;
    }

    @Override
    public Map<Long, Known> findOrigins(Set<Long> origins, Duration age) {
      return second.messages().findOrigins(origins, age);
    }

    @Override
    public AppendedOrigins appendedOrigins(Duration age) {
      return second.messages().appendedOrigins(age);
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
