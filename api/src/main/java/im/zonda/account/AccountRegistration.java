package im.zonda.account;

import im.zonda.jid.Jid;
import im.zonda.store.ValueKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Creates accounts, changes their passwords and removes them. Calls block; deriving the keys of a
/// password takes tens of milliseconds of CPU.
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

    /// The text cannot be a password.
    ///
    /// @param reason why, without the text itself
    record InvalidPassword(String reason) implements Result {}
  }

  /// Creates an account.
  ///
  /// @param account a bare address
  Result create(Jid account, String password);

  /// Creates an account and removes a stored value, both or neither: of several that are created
  /// with the same value at once, one is.
  ///
  /// @param account a bare address
  /// @param permission the value
  Result create(Jid account, String password, ValueKey permission);

  /// Whether the configuration of a host names the address as an administrator's. Such an account
  /// is created by an administrator or on the command line only, whether or not it exists.
  ///
  /// @param account a bare address
  boolean isAdministrator(Jid account);

  /// Changes the password of an account.
  Result changePassword(Jid account, String password);

  /// Removes an account with all data that any store has of it. Its sessions are not ended.
  /// Contacts are notified, and what rooms, nodes and contacts have given to it is taken back;
  /// until that is done the address counts as taken.
  Result remove(Jid account);

  /// When an account was created; null if there is none.
  @Nullable Instant created(Jid account);

  /// The number of accounts of a domain.
  long count(String domain);
}
