package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.Subscription;
import im.zonda.store.ValueKey;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The accounts.
record MemoryAccounts(MemoryDatabase database) implements AccountStore {
  @Override
  public @Nullable Account find(Jid jid) {
    return database.<@Nullable Account>call(() -> {
      Owner owner = database.data().owners.get(jid);
      return owner == null ? null : owner.account;
    });
  }

  @Override
  public List<Jid> create(List<Account> accounts) {
    return database.call(() -> {
      List<Jid> existing = new ArrayList<>();
      for (Account account : accounts) {
        Owner owner = new Owner();
        owner.account =
            new Account(
                account.jid(),
                List.copyOf(account.keys()),
                account.created().truncatedTo(ChronoUnit.MICROS));
        if (database.data().removed.containsKey(account.jid())
            || database.data().owners.putIfAbsent(account.jid(), owner) != null) {
          existing.add(account.jid());
        }
      }
      return existing;
    });
  }

  @Override
  public Creation create(Account account, ValueKey permission) {
    return database.call(() -> {
      if (database.data().owners.containsKey(account.jid())
          || database.data().removed.containsKey(account.jid())) {
        return Creation.ADDRESS_TAKEN;
      }
      Owner owner = database.data().owners.get(permission.owner());
      Map<String, byte[]> values = owner == null ? null : owner.values.get(permission.store());
      if (values == null || values.remove(permission.key()) == null) {
        return Creation.NO_PERMISSION;
      }
      create(List.of(account));
      return Creation.DONE;
    });
  }

  @Override
  public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
    return database.call(() -> {
      Owner owner = database.data().owners.get(jid);
      if (owner == null || owner.account == null) {
        return false;
      }
      owner.account = new Account(jid, List.copyOf(keys), owner.account.created());
      return true;
    });
  }

  @Override
  public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
    return database.call(() -> {
      Owner owner = database.data().owners.get(jid);
      Account account = owner == null ? null : owner.account;
      List<ScramKeys> keys =
          account == null ? null : ScramKeys.adding(account.keys(), proved, added);
      if (owner == null || account == null || keys == null) {
        return false;
      }
      owner.account = new Account(jid, keys, account.created());
      return true;
    });
  }

  @Override
  public boolean remove(Jid jid) {
    return database.call(() -> {
      Owner owner = database.data().owners.get(jid);
      if (owner == null || owner.account == null) {
        return false;
      }
      database.data().removed.put(jid, contacts(owner));
      return database.data().owners.remove(jid, owner);
    });
  }

  private static Map<Jid, Subscription> contacts(Owner owner) {
    Map<Jid, Subscription> contacts = new HashMap<>();
    for (RosterItem item : owner.roster.values()) {
      Subscription both =
          Subscription.of(
              item.subscription().to() || item.ask(),
              item.subscription().from() || item.request() != null);
      if (both != Subscription.NONE) {
        contacts.put(item.jid(), both);
      }
    }
    return contacts;
  }

  @Override
  public List<Removed> removed(String domain, @Nullable Jid from, int limit) {
    String first = from == null ? "" : MemoryData.local(from);
    return database.call(() ->
        MemoryData.page(database.data().removed.keySet().stream(), jid -> jid, domain, null)
            .filter(jid -> MemoryData.TEXT_ORDER.compare(MemoryData.local(jid), first) >= 0)
            .limit(limit)
            .map(jid -> new Removed(jid, Objects.requireNonNull(database.data().removed.get(jid))))
            .toList());
  }

  @Override
  public boolean release(Jid jid) {
    return database.call(() -> {
      for (MemoryData.RemovedRoom room : database.data().removedRooms.values()) {
        room.owner()
            .affiliations
            .values()
            .removeIf(each -> each.user().equals(jid) && !each.affiliation().equals("outcast"));
      }
      return database.data().removed.remove(jid) != null;
    });
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    return database.call(() ->
        MemoryData.page(all(), Account::jid, domain, after == null ? null : MemoryData.local(after))
            .map(Account::jid)
            .limit(limit)
            .toList());
  }

  @Override
  public long count(String domain) {
    return database.call(() -> MemoryData.page(all(), Account::jid, domain, null).count());
  }

  private Stream<Account> all() {
    return database.data().owners.values().stream()
        .map(owner -> owner.account)
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull);
  }
}
