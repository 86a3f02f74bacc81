package im.zonda.plugin;

import im.zonda.jid.Jid;
import java.util.List;
import java.util.Set;

/// The accounts of the hosts. Calls block.
@Stable(since = "1.0")
public interface PluginAccounts {
  /// The most accounts of one call.
  int MOST_AT_ONCE = 1_000;

  /// Whether there is an account.
  boolean exists(Jid account);

  /// Those of some addresses that are accounts: for many at once, which takes about as long as for
  /// one.
  ///
  /// @param addresses at most [#MOST_AT_ONCE]
  List<Jid> existing(List<Jid> addresses);

  /// The number of accounts of a host.
  long count(String host);

  /// Creates accounts with what is stored for them, all of one call in one transaction. Those that
  /// exist stay as they are, and so do addresses that are reserved or that the configuration names
  /// as an administrator's. Accounts that have the same password and are created at once, or soon
  /// after each other, share the work of deriving its keys, and so the salt: for tests only.
  ///
  /// @param accounts at most [#MOST_AT_ONCE]
  /// @return the addresses of those that were created
  /// @throws IllegalArgumentException if one is of no host, is there twice, has a password that
  ///   cannot be one, or more contacts or a larger vCard than the limits of the server allow;
  ///   nothing is created
  List<Jid> create(List<NewAccount> accounts);

  /// Removes accounts with everything that is stored for them, ends their sessions, and tells their
  /// contacts as when an administrator removes them.
  ///
  /// @return the addresses of those that were removed
  default List<Jid> remove(List<Jid> accounts) {
    return remove(accounts, Set.of());
  }

  /// The same for a part of many accounts.
  ///
  /// @param next accounts that the plugin will remove next: as contacts they are not notified, and
  ///   their rosters keep the removed accounts until then
  List<Jid> remove(List<Jid> accounts, Set<Jid> next);
}
