package im.zonda.app.users;

import im.zonda.account.GuestAddress;
import im.zonda.jid.Jid;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.store.Account;
import im.zonda.store.Stores;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Creates accounts from lists and those of other servers: an account whose username is reserved by
/// an invitation, or is one of guests, counts as taken.
///
/// @param stores the accounts and invitations
/// @param clock says which invitations have expired
public record UnreservedAccounts(Stores stores, InstantSource clock) {
  /// Those of some addresses with which no account may be created.
  public Set<Jid> reservedOf(List<Jid> wanted) {
    Set<Jid> reserved =
        new HashSet<>(
            InvitationModule.reservedOf(stores.keyValues(InvitationModule.STORE), wanted, clock));
    wanted.stream().filter(GuestAddress::isGuest).forEach(reserved::add);
    return reserved;
  }

  /// Creates accounts.
  ///
  /// @return the addresses of those that were not created
  public List<Jid> create(List<Account> accounts) {
    List<Jid> wanted = accounts.stream().map(Account::jid).toList();
    Set<Jid> reserved = reservedOf(wanted);
    if (reserved.isEmpty()) {
      return stores.accounts().create(accounts);
    }
    List<Jid> taken = new ArrayList<>(wanted);
    taken.retainAll(reserved);
    taken.addAll(
        stores
            .accounts()
            .create(accounts.stream().filter(each -> !reserved.contains(each.jid())).toList()));
    return taken;
  }
}
