package im.zonda.auth.provider;

import im.zonda.account.GuestAddress;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.auth.Passwords;
import im.zonda.auth.provider.AccountLinks.Link;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets people in whom a provider has accepted: creates their account at the first login, and
/// refuses those to whom the account of that name does not belong. Calls block.
///
/// @param domain the domain of the host
/// @param runtime the source of keys and of the time of creation
record FirstLogin(String domain, AccountStore accounts, AccountLinks links, ServerRuntime runtime) {
  private static final Logger LOG = LoggerFactory.getLogger(FirstLogin.class);
  private static final int KEY_BYTES = 32;

  /// The salt of keys that no password has: such an account was created for a provider, also if the
  /// process has ended before the link was stored.
  private static final byte[] NO_SALT = new byte[Passwords.SALT_BYTES];

  /// Whether there is such an account here.
  boolean exists(Jid account) {
    return accounts.find(account) != null;
  }

  /// The account with that local part; null if none can have it.
  @Nullable Jid account(String local) {
    try {
      return Jid.of(local, domain, null);
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// A provider has accepted someone.
  ///
  /// @param provider its name
  /// @param claimed the account that the client has named; null if the provider names it
  /// @param adopt whether an account that the server keeps itself may become one of the provider
  Admission admit(String provider, ProvidedAccount answer, @Nullable Jid claimed, boolean adopt) {
    Jid account = account(answer.local());
    if (account == null || GuestAddress.isGuest(account)) {
      return refuse(provider, claimed, "not a local part");
    }
    if (claimed != null && !claimed.equals(account)) {
      return refuse(provider, claimed, "another account");
    }
    String id = answer.id();
    if (id != null && (id.isEmpty() || id.length() > ProvidedAccount.MOST_CHARS)) {
      return refuse(provider, account, "no usable id");
    }
    if (answer.disabled()) {
      return new Admission.Disabled(account);
    }
    Link link = links.find(account);
    if (link == null) {
      Account known = accounts.find(account);
      if (known == null) {
        create(provider, account);
      } else if (!adopt && !hasUnknownKeys(known)) {
        return refuse(provider, account, "an account of the server's own");
      }
      links.put(account, new Link(provider, id));
    } else if (!link.provider().equals(provider)) {
      return refuse(provider, account, "kept by " + link.provider());
    } else if (link.id() != null && !link.id().equals(id)) {
      return refuse(provider, account, "another person of that name");
    } else if (link.id() == null && id != null) {
      links.put(account, new Link(provider, id));
    }
    return new Admission.Admitted(account, false);
  }

  private void create(String provider, Jid account) {
    Account created = new Account(account, unknownKeys(), runtime.clock().instant());
    // If another login has created it meanwhile, it is there.
    if (accounts.create(List.of(created)).isEmpty()) {
      LOG.atInfo()
          .addKeyValue("account", account)
          .addKeyValue("provider", provider)
          .log("account_created_by_login");
    }
  }

  /// Ends what was proved by an earlier password, such as tokens.
  void renew(Jid account) {
    boolean _ = accounts.changeKeys(account, unknownKeys());
  }

  /// Keys that no password has.
  private List<ScramKeys> unknownKeys() {
    return Passwords.HASHES.stream().map(this::unknownKeys).toList();
  }

  private ScramKeys unknownKeys(String hash) {
    return new ScramKeys(
        hash, NO_SALT.clone(), Passwords.ITERATIONS, random(KEY_BYTES), random(KEY_BYTES));
  }

  private static boolean hasUnknownKeys(Account account) {
    return account.keys().stream().allMatch(keys -> Arrays.equals(keys.salt(), NO_SALT));
  }

  private byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    runtime.random().nextBytes(random);
    return random;
  }

  private static Admission refuse(String provider, @Nullable Jid account, String reason) {
    LOG.atWarn()
        .addKeyValue("provider", provider)
        .addKeyValue("account", account)
        .addKeyValue("reason", reason)
        .log("provided_account_refused");
    return new Admission.Refused(reason);
  }
}
