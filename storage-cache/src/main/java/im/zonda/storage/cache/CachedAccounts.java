package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.store.ValueKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Accounts with the keys of their passwords in memory. A change of the password is effective when
/// the call returns: a login that begins later sees the new keys.
record CachedAccounts(
    AccountStore store,
    CacheRegistry registry,
    OwnerCache<Optional<Account>> cache,
    AccountCounts counts)
    implements AccountStore {
  @Override
  public @Nullable Account find(Jid jid) {
    return cache.get(jid, () -> Optional.ofNullable(store.find(jid))).orElse(null);
  }

  @Override
  public Map<Jid, Instant> created(String domain, Set<Jid> accounts) {
    return store.created(domain, accounts); // not worth the place of what logins need
  }

  @Override
  public List<Jid> create(List<Account> accounts) {
    return create(accounts.stream().map(Account::jid).toList(), () -> store.create(accounts));
  }

  /// Adds accounts by `creation`, which returns those whose addresses were taken. Nothing that was
  /// known of them before, such as that there is none, is kept.
  List<Jid> create(List<Jid> all, Supplier<List<Jid>> creation) {
    List<Jid> taken = registry.changeAll(all, creation);
    all.forEach(each -> counts.change(each.domain(), 1));
    taken.forEach(each -> counts.change(each.domain(), -1));
    return taken;
  }

  @Override
  public Creation create(Account account, ValueKey permission) {
    Creation creation =
        registry.changeAll(
            List.of(account.jid(), permission.owner()), () -> store.create(account, permission));
    counts.change(account.jid().domain(), creation == Creation.DONE ? 1 : 0);
    return creation;
  }

  @Override
  public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
    List<ScramKeys> copy = List.copyOf(keys);
    return cache.write(
        jid,
        () -> store.changeKeys(jid, copy),
        (before, changed) ->
            before != null && changed
                ? before.map(account -> new Account(jid, copy, account.created()))
                : null);
  }

  @Override
  public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
    // What the account has now is read when it is needed.
    return cache.write(jid, () -> store.addKeys(jid, proved, added), (before, changed) -> null);
  }

  @Override
  public boolean remove(Jid jid) {
    boolean removed = registry.changeAll(List.of(jid), () -> store.remove(jid));
    counts.change(jid.domain(), removed ? -1 : 0);
    return removed;
  }

  /// Removes accounts by `removal`.
  Stores.Removal removeAll(Set<Jid> accounts, Supplier<Stores.Removal> removal) {
    Stores.Removal done = registry.changeAll(List.copyOf(accounts), removal);
    done.removed().forEach(each -> counts.change(each.domain(), -1));
    return done;
  }

  @Override
  public List<Removed> removed(String domain, @Nullable Jid from, int limit) {
    return store.removed(domain, from, limit);
  }

  @Override
  public boolean release(Jid jid) {
    return store.release(jid);
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    return store.list(domain, after, limit);
  }

  @Override
  public List<Jid> search(String domain, String part, @Nullable Jid after, int limit) {
    return store.search(domain, part, after, limit);
  }

  @Override
  public long count(String domain) {
    return counts.of(domain);
  }
}
