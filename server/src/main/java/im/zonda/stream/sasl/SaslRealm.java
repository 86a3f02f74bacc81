package im.zonda.stream.sasl;

import im.zonda.account.provider.AccountProvider;
import im.zonda.auth.Passwords;
import im.zonda.auth.provider.Admission;
import im.zonda.auth.provider.ProviderChain;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A virtual host whose accounts clients authenticate as.
public interface SaslRealm {
  /// The domain.
  Jid domain();

  /// The accounts.
  Accounts accounts();

  /// Lets guests in.
  default GuestEntrance guests() {
    return GuestEntrance.CLOSED;
  }

  /// Accounts with their keys. Calls may block.
  interface Accounts {
    /// The accounts as one host sees them, with what all of them have in common.
    default Accounts at(Jid host) {
      return this;
    }

    /// Whom a host asks besides; null if it has the server's own accounts only. Does not block.
    default @Nullable ProviderChain chain(String domain) {
      return null;
    }

    /// What the host can check: mechanisms that need something else are not offered. Does not
    /// block.
    default Set<AccountProvider.Ability> abilities() {
      return EnumSet.of(AccountProvider.Ability.PASSWORD, AccountProvider.Ability.SCRAM_KEYS);
    }

    /// Where clients get tokens ([AccountProvider#issuer]); null if nowhere. Does not block.
    default @Nullable URI issuer() {
      return null;
    }

    /// Asks those who take tokens; the answer names the account.
    ///
    /// @param token as the client has sent it, at most 8,192 characters
    default Admission checkToken(String token) throws InterruptedException {
      return new Admission.Refused("no tokens");
    }

    /// Asks those who take certificates.
    ///
    /// @param local the local part that the client asks for, prepared; null if it asks for none
    /// @param chain the client's certificate first; the client has its key
    default Admission checkCertificate(@Nullable String local, List<X509Certificate> chain)
        throws InterruptedException {
      return new Admission.Refused("no certificates");
    }

    /// The hashes for which SCRAM is offered: those of which all accounts have keys. Does not
    /// block.
    default Set<String> hashes() {
      return Set.copyOf(Passwords.HASHES);
    }

    /// The account, or null.
    @Nullable Account find(Jid jid);

    /// Whether no client may log in to the account.
    default boolean isDisabled(Jid jid) {
      return false;
    }

    /// Adds keys to an account; false if it no longer has the keys that were proved.
    boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added);
  }
}
