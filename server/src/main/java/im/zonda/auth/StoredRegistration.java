package im.zonda.auth;

import im.zonda.account.AccountRegistration;
import im.zonda.account.GuestAddress;
import im.zonda.jid.Jid;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.AccountStore.Creation;
import im.zonda.store.ScramKeys;
import im.zonda.store.ValueKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Registers accounts in the store, with keys derived from their passwords. Addresses of guests
/// count as taken.
///
/// @param accounts the accounts
/// @param runtime the source of salts and of the time of creation
/// @param administrators whether the configuration names an address as an administrator's
/// @param rules the rules of a host for passwords that people choose
/// @param elsewhere the passwords of accounts that others keep
/// @param removal removes an account; false if there is none. May block
public record StoredRegistration(
    AccountStore accounts,
    ServerRuntime runtime,
    Predicate<Jid> administrators,
    Function<String, PasswordRules> rules,
    PasswordsElsewhere elsewhere,
    Predicate<Jid> removal)
    implements AccountRegistration {
  @Override
  public boolean isAdministrator(Jid account) {
    return administrators.test(account);
  }

  @Override
  public Result create(Jid account, String password) {
    return create(account, password, true, this::store);
  }

  @Override
  public Result create(Jid account, String password, ValueKey permission) {
    return create(account, password, true, made -> accounts.create(made, permission));
  }

  @Override
  public Result add(Jid account, String password) {
    return create(account, password, false, this::store);
  }

  private Creation store(Account account) {
    return accounts.create(List.of(account)).isEmpty() ? Creation.DONE : Creation.ADDRESS_TAKEN;
  }

  private Result create(
      Jid account, String password, boolean chosen, Function<Account, Creation> store) {
    if (!elsewhere.hasOwn(account.domain())) {
      return new Result.KeptElsewhere();
    }
    // Deriving keys is expensive; usually the address is known to be taken before.
    if (GuestAddress.isGuest(account) || accounts.find(account) != null) {
      return new Result.AddressTaken();
    }
    List<ScramKeys> keys;
    try {
      keys = keys(account, password, chosen);
    } catch (PasswordException e) {
      return new Result.InvalidPassword(e.problem(), e.reason());
    }
    return switch (store.apply(new Account(account, keys, runtime.clock().instant()))) {
      case DONE -> new Result.Done();
      case ADDRESS_TAKEN -> new Result.AddressTaken();
      case NO_PERMISSION -> new Result.NoPermission();
    };
  }

  @Override
  public Result changePassword(Jid account, String password) {
    return change(account, password, true);
  }

  @Override
  public Result setPassword(Jid account, String password) {
    return change(account, password, false);
  }

  private Result change(Jid account, String password, boolean chosen) {
    List<ScramKeys> keys;
    try {
      keys = keys(account, password, chosen);
    } catch (PasswordException e) {
      return new Result.InvalidPassword(e.problem(), e.reason());
    }
    if (elsewhere.keeps(account)) {
      return elsewhere.set(account, password) ? new Result.Done() : new Result.KeptElsewhere();
    }
    return accounts.changeKeys(account, keys) ? new Result.Done() : new Result.NoAccount();
  }

  /// @param chosen whether the owner of the account chooses the password
  private List<ScramKeys> keys(Jid account, String password, boolean chosen) {
    if (chosen) {
      rules.apply(account.domain()).check(account, password);
    }
    return Passwords.derive(password, runtime.random());
  }

  @Override
  public Result remove(Jid account) {
    return removal.test(account) ? new Result.Done() : new Result.NoAccount();
  }

  @Override
  public @Nullable Instant created(Jid account) {
    Account found = accounts.find(account);
    return found == null ? null : found.created();
  }

  @Override
  public Map<Jid, Instant> created(String domain, Set<Jid> wanted) {
    return accounts.created(domain, wanted);
  }

  @Override
  public long count(String domain) {
    return accounts.count(domain);
  }
}
