package im.zonda.store;

import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The addresses of the registered accounts, without their keys. Calls block.
@FunctionalInterface
public interface AccountAddresses {
  /// How many addresses a search reads at a time.
  int AT_A_TIME = 1_000;

  /// Addresses of a domain's accounts in order.
  ///
  /// @param after the address after which to start, or null to start with the first
  /// @param limit the maximum number of addresses
  List<Jid> list(String domain, @Nullable Jid after, int limit);

  /// Addresses of those of a domain's accounts whose local parts contain a text, in order. Reads
  /// all addresses if few contain it; in the database, if it allows that.
  ///
  /// @param part compared exactly
  /// @param after the address after which to start, or null to start with the first
  /// @param limit the maximum number of addresses
  default List<Jid> search(String domain, String part, @Nullable Jid after, int limit) {
    List<Jid> found = new ArrayList<>();
    Jid last = after;
    while (true) {
      List<Jid> some = list(domain, last, AT_A_TIME);
      for (Jid each : some) {
        String local = each.local();
        if (local != null && local.contains(part) && found.size() < limit) {
          found.add(each);
        }
      }
      if (some.size() < AT_A_TIME || found.size() == limit) {
        return found;
      }
      last = some.getLast();
    }
  }

  /// The addresses of the accounts of a store.
  static AccountAddresses of(AccountStore accounts) {
    return new AccountAddresses() {
      @Override
      public List<Jid> list(String domain, @Nullable Jid after, int limit) {
        return accounts.list(domain, after, limit);
      }

      @Override
      public List<Jid> search(String domain, String part, @Nullable Jid after, int limit) {
        return accounts.search(domain, part, after, limit);
      }
    };
  }
}
