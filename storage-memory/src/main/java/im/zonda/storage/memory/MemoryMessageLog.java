package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.storage.memory.MemoryData.Row;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The message log. An entry is durable when [#append] returns.
record MemoryMessageLog(MemoryDatabase database) implements MessageLog, ClusterLog {
  @Override
  public long nextId() {
    return database.nextId();
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting) {
    boolean archive = keep == Keep.ARCHIVE;
    Owner owner =
        database.<@Nullable Owner>call(() -> {
          Owner found = database.data().owners.get(entry.owner());
          if (found != null && (archive || waiting)) {
            found.log.put(entry.id(), new Row(entry, archive, waiting));
          }
          return found;
        });
    return new Receipt() {
      @Override
      public void delivered() {
        if (owner != null) {
          settle(owner, entry.id());
        }
      }

      @Override
      public void whenEnded(Ending ending) {
        ending.committed();
      }
    };
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
    if (entry.id() != sent.id() || !sent.with().equals(entry.message().to())) {
      throw new IllegalArgumentException("not the entries of one message");
    }
    // As one row of a database, which has the receiver's origin.
    append(new Entry(sent.owner(), sent.id(), sent.with(), sent.message()), Keep.ARCHIVE, false);
    return append(entry, keep, waiting);
  }

  /// The last id of all owners.
  @Override
  public long takeOver(Jid owner, long newest) {
    return database.call(() -> {
      long last = newest;
      for (Owner each : database.data().owners.values()) {
        last = each.log.isEmpty() ? last : Math.max(last, each.log.lastKey());
      }
      return last;
    });
  }

  @Override
  public boolean keepsOrigins() {
    return true;
  }

  @Override
  public Map<Long, Known> findOrigins(Set<Long> origins, Duration age) {
    return database.call(() -> {
      Map<Long, Known> found = new HashMap<>();
      for (Owner owner : database.data().owners.values()) {
        for (Row row : owner.log.values()) {
          if (origins.contains(row.entry().origin())) {
            found.put(row.entry().origin(), new Known(row.entry().id(), isSentCopy(row.entry())));
          }
        }
      }
      return found;
    });
  }

  @Override
  public AppendedOrigins appendedOrigins(Duration age) {
    return database.call(() -> {
      AppendedOrigins.Builder found = new AppendedOrigins.Builder();
      for (Owner owner : database.data().owners.values()) {
        for (Row row : owner.log.values()) {
          found.add(row.entry().origin(), isSentCopy(row.entry()));
        }
      }
      return found.build();
    });
  }

  private boolean isSentCopy(Entry entry) {
    Owner sender = database.data().owners.get(entry.with().bare());
    return sender != null && sender.log.containsKey(entry.id());
  }

  @Override
  public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
    return database.call(() -> {
      List<Entry> found = new ArrayList<>();
      Owner stored = database.data().owners.get(owner);
      if (stored == null) {
        return found;
      }
      long left = bytes;
      for (Row row : stored.log.tailMap(afterId, false).values()) {
        if (found.size() == limit || left <= 0) {
          break;
        }
        if (row.waiting()) {
          found.add(row.entry());
          left -= row.entry().message().writtenSize();
        }
      }
      return found;
    });
  }

  @Override
  public int waitingCount(Jid owner) {
    return waiting(owner, Long.MIN_VALUE, Integer.MAX_VALUE).size();
  }

  @Override
  public void delivered(Jid owner, List<Long> ids) {
    synchronized (database.data()) {
      Owner found = database.data().owners.get(owner);
      if (found != null) {
        ids.forEach(id -> settle(found, id));
      }
    }
  }

  private void settle(Owner owner, long id) {
    synchronized (database.data()) {
      owner.log.computeIfPresent(
          id, (same, row) -> row.archive() ? new Row(row.entry(), true, false) : null);
    }
  }

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
  public void flush() {
    database.call(() -> true);
  }
}
