package im.zonda.host;

import im.zonda.account.DisabledAccounts;
import im.zonda.auth.CommonHashes;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import im.zonda.stream.sasl.SaslRealm;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The accounts of the stores as logins see them.
///
/// @param common the hashes that the accounts of a host have in common
/// @param hashes those of which all accounts have keys
record StoredAccounts(
    AccountStore store, DisabledAccounts disabled, CommonHashes common, Set<String> hashes)
    implements SaslRealm.Accounts {
  /// Accounts with keys for all hashes.
  StoredAccounts(AccountStore store, DisabledAccounts disabled, CommonHashes common) {
    this(store, disabled, common, Set.copyOf(Passwords.HASHES));
  }

  @Override
  public StoredAccounts at(Jid host) {
    return new StoredAccounts(store, disabled, common, common.update(host, store));
  }

  @Override
  public @Nullable Account find(Jid jid) {
    return store.find(jid);
  }

  @Override
  public boolean isDisabled(Jid jid) {
    return disabled.isDisabled(jid);
  }

  @Override
  public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
    return store.addKeys(jid, proved, added);
  }
}
