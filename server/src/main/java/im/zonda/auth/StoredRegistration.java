package im.zonda.auth;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Registers accounts in the store, with keys derived from their passwords.
///
/// @param accounts the accounts
/// @param random the source of salts; cryptographically strong and thread-safe
/// @param clock the time of creation
public record StoredRegistration(AccountStore accounts, RandomGenerator random, InstantSource clock)
    implements AccountRegistration {
  @Override
  public Result create(Jid account, String password) {
    // Deriving keys is expensive; usually the address is known to be taken before.
    if (accounts.find(account) != null) {
      return new Result.AddressTaken();
    }
    List<ScramKeys> keys;
    try {
      keys = Passwords.derive(password, random);
    } catch (PasswordException e) {
      return new Result.InvalidPassword(e.reason());
    }
    List<Jid> taken = accounts.create(List.of(new Account(account, keys, clock.instant())));
    return taken.isEmpty() ? new Result.Done() : new Result.AddressTaken();
  }

  @Override
  public Result changePassword(Jid account, String password) {
    List<ScramKeys> keys;
    try {
      keys = Passwords.derive(password, random);
    } catch (PasswordException e) {
      return new Result.InvalidPassword(e.reason());
    }
    return accounts.changeKeys(account, keys) ? new Result.Done() : new Result.NoAccount();
  }

  @Override
  public Result remove(Jid account) {
    return accounts.remove(account) ? new Result.Done() : new Result.NoAccount();
  }

  @Override
  public @Nullable Instant created(Jid account) {
    Account found = accounts.find(account);
    return found == null ? null : found.created();
  }

  @Override
  public long count(String domain) {
    return accounts.count(domain);
  }
}
