package im.zonda.stream.sasl;

import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
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
