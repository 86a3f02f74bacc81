package im.zonda.module.testing;

import im.zonda.account.AccountRegistration;
import im.zonda.account.PasswordProblem;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ValueKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Registers accounts in the test's stores and remembers their passwords as they are.
public final class TestRegistration implements AccountRegistration {
  /// A password that nobody may choose.
  public static final String COMMON = "password1";

  /// The maximum length of a password.
  public static final int MAX_LENGTH = 100;

  private final TestStores stores;
  private final Map<Jid, String> passwords = new HashMap<>();
  private final Set<Jid> administrators = new HashSet<>();

  TestRegistration(TestStores stores) {
    this.stores = stores;
  }

  /// The account's password, or null.
  public @Nullable String password(Jid account) {
    return passwords.get(account);
  }

  @Override
  public Result create(Jid account, String password) {
    Result invalid = checkChosen(password);
    return invalid == null ? add(account, password) : invalid;
  }

  @Override
  public Result add(Jid account, String password) {
    Result invalid = check(password);
    if (invalid != null) {
      return invalid;
    }
    boolean created =
        stores.accounts().create(List.of(new Account(account, List.of(), Instant.EPOCH))).isEmpty();
    if (!created) {
      return new Result.AddressTaken();
    }
    passwords.put(account, password);
    return new Result.Done();
  }

  @Override
  public Result create(Jid account, String password, ValueKey permission) {
    Result invalid = checkChosen(password);
    if (invalid != null) {
      return invalid;
    }
    return switch (stores
        .accounts()
        .create(new Account(account, List.of(), Instant.EPOCH), permission)) {
      case DONE -> {
        passwords.put(account, password);
        yield new Result.Done();
      }
      case ADDRESS_TAKEN -> new Result.AddressTaken();
      case NO_PERMISSION -> new Result.NoPermission();
    };
  }

  /// Has an address count as an administrator's.
  public void addAdministrator(Jid account) {
    administrators.add(account);
  }

  @Override
  public boolean isAdministrator(Jid account) {
    return administrators.contains(account);
  }

  @Override
  public Result changePassword(Jid account, String password) {
    Result invalid = checkChosen(password);
    return invalid == null ? setPassword(account, password) : invalid;
  }

  @Override
  public Result setPassword(Jid account, String password) {
    Result invalid = check(password);
    if (invalid != null) {
      return invalid;
    }
    if (!stores.accounts().changeKeys(account, List.of())) {
      return new Result.NoAccount();
    }
    passwords.put(account, password);
    return new Result.Done();
  }

  @Override
  public Result remove(Jid account) {
    return stores.accounts().remove(account) ? new Result.Done() : new Result.NoAccount();
  }

  @Override
  public @Nullable Instant created(Jid account) {
    Account found = stores.accounts().find(account);
    return found == null ? null : found.created();
  }

  @Override
  public long count(String domain) {
    return stores.accounts().count(domain);
  }

  private static @Nullable Result checkChosen(String password) {
    return password.equals(COMMON)
        ? new Result.InvalidPassword(PasswordProblem.COMMON, "a common password")
        : check(password);
  }

  private static @Nullable Result check(String password) {
    if (password.length() > MAX_LENGTH) {
      return new Result.InvalidPassword(PasswordProblem.TOO_LONG, "a long password");
    }
    return password.chars().anyMatch(c -> c < ' ')
        ? new Result.InvalidPassword(PasswordProblem.CHARACTER, "not a password")
        : null;
  }
}
