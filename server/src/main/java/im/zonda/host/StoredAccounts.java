package im.zonda.host;

import im.zonda.account.DisabledAccounts;
import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.auth.CommonHashes;
import im.zonda.auth.Passwords;
import im.zonda.auth.provider.Admission;
import im.zonda.auth.provider.ProviderChain;
import im.zonda.auth.provider.ProviderChains;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import im.zonda.stream.sasl.SaslRealm;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The accounts of the stores as logins see them, and those whom a host asks besides.
///
/// @param common the hashes that the accounts of a host have in common
/// @param chains whom the hosts ask
/// @param host the domain of the host; null for all
/// @param own the hashes of which all accounts that the server keeps itself have keys
record StoredAccounts(
    AccountStore store,
    DisabledAccounts disabled,
    CommonHashes common,
    ProviderChains chains,
    @Nullable String host,
    Set<String> own)
    implements SaslRealm.Accounts {
  /// Accounts with keys for all hashes.
  StoredAccounts(
      AccountStore store, DisabledAccounts disabled, CommonHashes common, ProviderChains chains) {
    this(store, disabled, common, chains, null, Set.copyOf(Passwords.HASHES));
  }

  @Override
  public StoredAccounts at(Jid at) {
    return new StoredAccounts(
        store, disabled, common, chains, at.domain(), common.update(at, store));
  }

  @Override
  public @Nullable ProviderChain chain(String domain) {
    return chains.find(domain, own);
  }

  private @Nullable ProviderChain chain() {
    return host == null ? null : chain(host);
  }

  @Override
  public Set<Ability> abilities() {
    ProviderChain chain = chain();
    return chain == null ? SaslRealm.Accounts.super.abilities() : chain.abilities();
  }

  @Override
  public Set<String> hashes() {
    ProviderChain chain = chain();
    return chain == null ? own : chain.hashes();
  }

  @Override
  public @Nullable URI issuer() {
    ProviderChain chain = chain();
    return chain == null ? null : chain.issuer();
  }

  @Override
  public Admission checkToken(String token) throws InterruptedException {
    ProviderChain chain = chain();
    return chain == null ? SaslRealm.Accounts.super.checkToken(token) : chain.checkToken(token);
  }

  @Override
  public Admission checkCertificate(@Nullable String local, List<X509Certificate> certificates)
      throws InterruptedException {
    ProviderChain chain = chain();
    return chain == null
        ? SaslRealm.Accounts.super.checkCertificate(local, certificates)
        : chain.checkCertificate(local, certificates);
  }

  @Override
  public @Nullable Account find(Jid jid) {
    return store.find(jid);
  }

  @Override
  public boolean isDisabled(Jid jid) {
    if (disabled.isDisabled(jid)) {
      return true;
    }
    ProviderChain chain = chain(jid.domain());
    try {
      return chain != null && chain.isGone(jid);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the server is stopping", e);
    }
  }

  @Override
  public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
    return store.addKeys(jid, proved, added);
  }
}
