package im.zonda.app.users;

import im.zonda.account.GuestAddress;
import im.zonda.jid.Jid;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.store.ValueKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The accounts of a server for the command line: an account whose username is reserved by an
/// invitation, or is one of guests, counts as taken.
///
/// @param stores the accounts and invitations
/// @param clock says which invitations have expired
/// @param removal removes an account; false if there is none
public record UnreservedAccounts(Stores stores, InstantSource clock, Predicate<Jid> removal)
    implements AccountStore {
  @Override
  public List<Jid> create(List<Account> accounts) {
    List<Jid> wanted = accounts.stream().map(Account::jid).toList();
    List<Jid> reserved =
        new ArrayList<>(
            InvitationModule.reservedOf(stores.keyValues(InvitationModule.STORE), wanted, clock));
    wanted.stream().filter(GuestAddress::isGuest).forEach(reserved::add);
    if (reserved.isEmpty()) {
      return stores.accounts().create(accounts);
    }
    List<Jid> taken = new ArrayList<>(reserved);
    taken.addAll(
        stores
            .accounts()
            .create(accounts.stream().filter(each -> !reserved.contains(each.jid())).toList()));
    return taken;
  }

  @Override
  public Creation create(Account account, ValueKey permission) {
    return stores.accounts().create(account, permission);
  }

  @Override
  public @Nullable Account find(Jid jid) {
    return stores.accounts().find(jid);
  }

  @Override
  public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
    return stores.accounts().changeKeys(jid, keys);
  }

  @Override
  public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
    return stores.accounts().addKeys(jid, proved, added);
  }

  @Override
  public boolean remove(Jid jid) {
    return removal.test(jid);
  }

  @Override
  public List<Removed> removed(String domain, @Nullable Jid from, int limit) {
    return stores.accounts().removed(domain, from, limit);
  }

  @Override
  public boolean release(Jid jid) {
    return stores.accounts().release(jid);
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    return stores.accounts().list(domain, after, limit);
  }

  @Override
  public long count(String domain) {
    return stores.accounts().count(domain);
  }
}
