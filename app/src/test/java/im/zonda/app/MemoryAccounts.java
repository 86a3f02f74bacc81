package im.zonda.app;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// Accounts in memory, for tests.
public final class MemoryAccounts implements AccountStore {
  private final NavigableMap<Jid, Account> accounts = new ConcurrentSkipListMap<>();
  private volatile boolean broken;

  /// Every call fails from now on.
  public void breakDown() {
    broken = true;
  }

  @Override
  public @Nullable Account find(Jid jid) {
    check();
    return accounts.get(jid);
  }

  @Override
  public List<Jid> create(List<Account> created) {
    check();
    List<Jid> existing = new ArrayList<>();
    for (Account account : created) {
      if (accounts.putIfAbsent(account.jid(), account) != null) {
        existing.add(account.jid());
      }
    }
    return existing;
  }

  @Override
  public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
    check();
    return accounts.computeIfPresent(
            jid, (same, account) -> new Account(same, keys, account.created()))
        != null;
  }

  @Override
  public boolean remove(Jid jid) {
    check();
    return accounts.remove(jid) != null;
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    check();
    NavigableMap<Jid, Account> rest = after == null ? accounts : accounts.tailMap(after, false);
    return rest.keySet().stream().filter(jid -> jid.domain().equals(domain)).limit(limit).toList();
  }

  @Override
  public long count(String domain) {
    check();
    return accounts.keySet().stream().filter(jid -> jid.domain().equals(domain)).count();
  }

  private void check() {
    if (broken) {
      throw new StoreException(StoreException.Category.FULL, "the disk is full", null);
    }
  }
}
