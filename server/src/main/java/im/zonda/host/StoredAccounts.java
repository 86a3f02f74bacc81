package im.zonda.host;

import im.zonda.account.DisabledAccounts;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import im.zonda.stream.sasl.SaslRealm;
import org.jspecify.annotations.Nullable;

/// The accounts of the stores as logins see them.
record StoredAccounts(AccountStore store, DisabledAccounts disabled) implements SaslRealm.Accounts {
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
