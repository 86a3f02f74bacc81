package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.storage.memory.MemoryData.Row;
import im.zonda.store.RemoteQueueStore;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The queues for remote domains.
record MemoryRemoteQueues(MemoryDatabase database) implements RemoteQueueStore {
  @Override
  public void create(Jid queue) {
    if (queue.local() != null || !queue.isFull()) {
      throw new IllegalArgumentException("not the address of a queue: " + queue);
    }
    database.call(() ->
        database.data().owners.computeIfAbsent(queue, missing -> new Owner()).remoteQueue = true);
  }

  @Override
  public boolean remove(Jid queue) {
    return database.call(() -> {
      Owner owner = database.data().owners.get(queue);
      if (owner == null) {
        return true;
      }
      return owner.log.values().stream().noneMatch(Row::waiting)
          && database.data().owners.remove(queue, owner);
    });
  }

  @Override
  public List<Jid> list(String local, @Nullable String after, int limit) {
    return database.call(() ->
        database.data().owners.entrySet().stream()
            .filter(each -> each.getValue().remoteQueue && each.getKey().domain().equals(local))
            .map(Map.Entry::getKey)
            .filter(
                queue -> after == null || MemoryData.TEXT_ORDER.compare(remote(queue), after) > 0)
            .sorted(Comparator.comparing(MemoryRemoteQueues::remote, MemoryData.TEXT_ORDER))
            .limit(limit)
            .toList());
  }

  private static String remote(Jid queue) {
    return Objects.requireNonNullElse(queue.resource(), "");
  }
}
