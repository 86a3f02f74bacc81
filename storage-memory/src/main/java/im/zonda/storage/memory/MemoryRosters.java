package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.Subscription;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rosters. Versions are ids of the message log, so that a new account of the same name does
/// not repeat those of a removed one.
record MemoryRosters(MemoryDatabase database) implements RosterStore {
  @Override
  public Roster load(Jid owner) {
    return database.call(() -> {
      Owner found = database.data().owners.get(owner);
      return found == null
          ? new Roster(0, List.of())
          : new Roster(found.rosterVersion, List.copyOf(found.roster.values()));
    });
  }

  @Override
  public long put(Jid owner, RosterItem item) {
    return database.call(() -> {
      Owner found = database.data().require(owner);
      found.roster.put(item.jid(), item);
      found.rosterVersion = database.nextId();
      return found.rosterVersion;
    });
  }

  @Override
  public List<Jid> subscribedOwners(Jid contact, int limit) {
    return database.call(() ->
        database.data().owners.entrySet().stream()
            .filter(each -> knows(each.getValue().roster.get(contact)))
            .map(Map.Entry::getKey)
            .limit(limit)
            .toList());
  }

  private static boolean knows(@Nullable RosterItem item) {
    return item != null
        && (item.subscription() != Subscription.NONE
            || item.ask()
            || item.approved()
            || item.request() != null);
  }

  @Override
  public long remove(Jid owner, Jid contact) {
    return database.call(() -> {
      Owner found = database.data().require(owner);
      if (found.roster.remove(contact) != null) {
        found.rosterVersion = database.nextId();
      }
      return found.rosterVersion;
    });
  }
}
