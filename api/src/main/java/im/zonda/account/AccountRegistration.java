package im.zonda.account;

import im.zonda.jid.Jid;
import im.zonda.store.ValueKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Creates accounts, changes their passwords and removes them. Calls block; deriving the keys of a
/// password takes tens of milliseconds of CPU.
///
/// A password that someone chooses for their own account has to follow the rules of the host: a
/// minimum length, and none of the passwords that attackers try first. One that an administrator
/// gives to another account only has to be a password.
///
/// The keys that are stored of a password never leave the server's own code.
public interface AccountRegistration {
  /// What became of a request.
  sealed interface Result {
    /// It was done.
    record Done() implements Result {}

    /// The address is taken.
    record AddressTaken() implements Result {}

    /// The permission to create the account does not exist, or was used meanwhile.
    record NoPermission() implements Result {}

    /// There is no such account.
    record NoAccount() implements Result {}

    /// Someone else keeps the account, and does not take that change; or the host has no accounts
    /// of its own.
    record KeptElsewhere() implements Result {}

    /// The text cannot be the password of the account.
    ///
    /// @param problem why
    /// @param reason why, in words, without the text itself
    record InvalidPassword(PasswordProblem problem, String reason) implements Result {}
  }

  /// Creates an account with a password that its owner chooses.
  ///
  /// @param account a bare address
  Result create(Jid account, String password);

  /// Creates an account with a password that its owner chooses, and removes a stored value, both or
  /// neither: of several that are created with the same value at once, one is.
  ///
  /// @param account a bare address
  /// @param permission the value
  Result create(Jid account, String password, ValueKey permission);

  /// Creates an account with a password that an administrator gives.
  ///
  /// @param account a bare address
  Result add(Jid account, String password);

  /// Whether the configuration of a host names the address as an administrator's. Such an account
  /// is created by an administrator or on the command line only, whether or not it exists.
  ///
  /// @param account a bare address
  boolean isAdministrator(Jid account);

  /// Changes the password of an account to one that its owner chooses.
  Result changePassword(Jid account, String password);

  /// Changes the password of an account to one that an administrator gives.
  Result setPassword(Jid account, String password);

  /// Removes an account with all data that any store has of it. Its sessions are not ended.
  /// Contacts are notified, and what rooms, nodes and contacts have given to it is taken back;
  /// until that is done the address counts as taken.
  Result remove(Jid account);

  /// When an account was created; null if there is none.
  @Nullable Instant created(Jid account);

  /// When accounts of a domain were created, in one query if the database allows it; those that do
  /// not exist are missing.
  ///
  /// @param accounts bare addresses of the domain
  default Map<Jid, Instant> created(String domain, Set<Jid> accounts) {
    Map<Jid, Instant> created = new HashMap<>();
    for (Jid each : accounts) {
      Instant found = created(each);
      if (found != null) {
        created.put(each, found);
      }
    }
    return created;
  }

  /// The number of accounts of a domain.
  long count(String domain);
}
