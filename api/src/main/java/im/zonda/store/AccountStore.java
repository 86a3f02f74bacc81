package im.zonda.store;

import im.zonda.jid.Jid;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The accounts with the keys of their passwords. For the server itself: modules use
/// `AccountRegistration` and [AccountAddresses]. An account cannot have the address of a room
/// ([RoomStore]). Calls block.
public interface AccountStore {
  /// The account, or null.
  @Nullable Account find(Jid jid);

  /// When accounts of a domain were created, in one query if the database allows it; those that do
  /// not exist are missing.
  ///
  /// @param accounts bare addresses of the domain
  default Map<Jid, Instant> created(String domain, Set<Jid> accounts) {
    Map<Jid, Instant> created = new HashMap<>();
    for (Jid each : accounts) {
      Account found = find(each);
      if (found != null) {
        created.put(each, found.created());
      }
    }
    return created;
  }

  /// Adds accounts in one transaction. Returns the addresses that were taken; those accounts are
  /// not changed.
  List<Jid> create(List<Account> accounts);

  /// Adds an account and removes a value, both or neither, in one transaction: the value is the
  /// permission to create the account. Of several accounts that are created with the same value at
  /// once, at any node of a cluster, one is.
  Creation create(Account account, ValueKey permission);

  /// What became of an account that needs a permission.
  enum Creation {
    /// It was created, and the permission was used.
    DONE,
    /// The address is taken; the permission stays.
    ADDRESS_TAKEN,
    /// There is no such permission.
    NO_PERMISSION
  }

  /// Replaces the keys of an account; false if there is none.
  boolean changeKeys(Jid jid, List<ScramKeys> keys);

  /// Adds keys of the same password to an account, in place of those of the same hash. False, and
  /// nothing is changed, if the account no longer has the keys by which the password was proved,
  /// because its password has changed.
  boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added);

  /// Removes an account with all data that any store has of it; false if there is none. Its address
  /// counts as taken until [#release] is called, because others still have something about it.
  boolean remove(Jid jid);

  /// An account that was removed and whose address has not been released.
  ///
  /// @param contacts the contacts with whom it had a subscription, or with whom one was requested,
  ///   in its roster's direction
  record Removed(Jid jid, Map<Jid, Subscription> contacts) {
    /// Copies the map.
    public Removed {
      contacts = Map.copyOf(contacts);
    }
  }

  /// Accounts of a domain that were removed and whose addresses have not been released, at most
  /// `limit`, in the order of their addresses, starting with `from` or, if null, with the first.
  List<Removed> removed(String domain, @Nullable Jid from, int limit);

  /// Lets the address of a removed account be used again; false if it is not reserved. Also takes
  /// its affiliations, except for bans, from rooms that were removed and can be restored
  /// ([RoomStore]).
  boolean release(Jid jid);

  /// Addresses of a domain's accounts in order, starting after `after` or, if null, at the first.
  List<Jid> list(String domain, @Nullable Jid after, int limit);

  /// Those whose local parts contain a text ([AccountAddresses#search]).
  default List<Jid> search(String domain, String part, @Nullable Jid after, int limit) {
    AccountAddresses addresses = this::list;
    return addresses.search(domain, part, after, limit);
  }

  /// The number of accounts of a domain.
  long count(String domain);
}
