package im.zonda.auth;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Accounts in memory.
final class MemoryAccounts implements AccountStore {
  private final Map<Jid, Account> accounts = new TreeMap<>();

  @Override
  public @Nullable Account find(Jid jid) {
    return accounts.get(jid);
  }

  @Override
  public List<Jid> create(List<Account> wanted) {
    List<Jid> existing = new ArrayList<>();
    for (Account account : wanted) {
      if (accounts.putIfAbsent(account.jid(), account) != null) {
        existing.add(account.jid());
      }
    }
    return existing;
  }

  @Override
  public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
    return accounts.computeIfPresent(
            jid, (same, account) -> new Account(jid, keys, account.created()))
        != null;
  }

  @Override
  public boolean remove(Jid jid) {
    return accounts.remove(jid) != null;
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long count(String domain) {
    return accounts.size();
  }
}
