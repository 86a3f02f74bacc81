package im.zonda.stream.sasl;

import im.zonda.account.provider.ProviderException;
import im.zonda.auth.Passwords;
import im.zonda.auth.provider.Admission;
import im.zonda.auth.provider.ProviderChain;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.throttle.FairTurns;
import im.zonda.throttle.LoginThrottle;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executor;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Looks up accounts and checks passwords, on threads that may block.
///
/// For an account that does not exist the exchange takes the same steps to the same end, with keys
/// that are derived from the name: an answer does not reveal whether the account exists.
public final class Authenticator {
  private static final int NAME_BYTES = 9;

  private final Executor blocking;
  private final byte[] secret;
  private final FairTurns passwordChecks;

  /// @param blocking runs what may block: virtual threads
  /// @param secret at least 16 secret bytes that stay the same over restarts
  /// @param passwordChecks whose password is checked next; each check costs milliseconds of CPU
  public Authenticator(Executor blocking, byte[] secret, FairTurns passwordChecks) {
    if (secret.length < 16) {
      throw new IllegalArgumentException("a secret of fewer than 16 bytes");
    }
    this.blocking = blocking;
    this.secret = secret.clone();
    this.passwordChecks = passwordChecks;
  }

  /// Runs what may block.
  public void run(Runnable task) {
    blocking.execute(task);
  }

  /// The account's keys for a hash, or made-up ones. May block.
  ///
  /// @throws SaslFailure if who keeps the account does not answer
  ScramKeys keys(SaslRealm host, String name, String hash)
      throws SaslFailure, InterruptedException {
    Jid jid = account(host, name);
    if (jid != null) {
      for (ScramKeys keys : keys(host.accounts(), jid)) {
        if (keys.hash().equals(hash)) {
          return keys;
        }
      }
    }
    return decoy(host, jid == null ? name : jid.toString(), hash);
  }

  private static List<ScramKeys> keys(SaslRealm.Accounts accounts, Jid jid)
      throws SaslFailure, InterruptedException {
    ProviderChain chain = accounts.chain(jid.domain());
    if (chain != null) {
      try {
        List<ScramKeys> elsewhere = chain.keys(jid);
        if (!elsewhere.isEmpty()) {
          return elsewhere;
        }
      } catch (ProviderException e) {
        throw unavailable(String.valueOf(e.getMessage()));
      }
    }
    // Of an account that is kept elsewhere these are keys that no password has.
    Account account = accounts.find(jid);
    return account == null ? List.of() : account.keys();
  }

  /// Checks the password of the account with that name. Blocks.
  ///
  /// @param mechanism the SASL mechanism, or `page`
  /// @return not [Admission.Unavailable], which is a failure
  /// @throws SaslFailure if the password is not looked at, because too many are being checked, too
  ///   many logins of the address have failed, or who keeps the account does not answer
  Admission checkPassword(
      SaslRealm host, String name, String password, LoginThrottle.Attempt attempt, String mechanism)
      throws InterruptedException, SaslFailure {
    Jid jid = account(host, name);
    ProviderChain chain = jid == null ? null : host.accounts().chain(jid.domain());
    if (jid == null || chain == null) {
      boolean right = checkOwn(host, name, jid, password, attempt);
      return right && jid != null
          ? new Admission.Admitted(jid, true)
          : new Admission.Refused("password");
    }
    if (attempt.isRefused()) {
      throw SaslFailure.refused();
    }
    OwnPassword own = new OwnPassword(host, name, jid, password, attempt);
    Admission admission = chain.checkPassword(jid, password, attempt.from(), mechanism, own);
    if (own.failure != null) {
      throw own.failure;
    }
    if (admission instanceof Admission.Unavailable(String reason)) {
      throw unavailable(reason);
    }
    return admission;
  }

  static SaslFailure unavailable(String reason) {
    return new SaslFailure(SaslCondition.TEMPORARY_AUTH_FAILURE, reason);
  }

  /// The check of a password among those of others, and why it was not made.
  private final class OwnPassword implements ProviderChain.OwnCheck {
    private final SaslRealm host;
    private final String name;
    private final Jid jid;
    private final String password;
    private final LoginThrottle.Attempt attempt;
    private @Nullable SaslFailure failure;

    private OwnPassword(
        SaslRealm host, String name, Jid jid, String password, LoginThrottle.Attempt attempt) {
      this.host = host;
      this.name = name;
      this.jid = jid;
      this.password = password;
      this.attempt = attempt;
    }

    @Override
    public boolean isRight() throws InterruptedException {
      try {
        return checkOwn(host, name, jid, password, attempt);
      } catch (SaslFailure e) {
        failure = e;
        return false;
      }
    }
  }

  /// Checks the password of an account that the server keeps itself.
  private boolean checkOwn(
      SaslRealm host,
      String name,
      @Nullable Jid jid,
      String password,
      LoginThrottle.Attempt attempt)
      throws InterruptedException, SaslFailure {
    Account account = jid == null ? null : host.accounts().find(jid);
    if (account == null) {
      // The same work as for an account that exists.
      String hash = Passwords.HASHES.getFirst();
      account = new Account(host.domain(), List.of(decoy(host, name, hash)), Instant.EPOCH);
    }
    if (!passwordChecks.acquire(attempt.network())) {
      throw new SaslFailure(SaslCondition.TEMPORARY_AUTH_FAILURE, "too many passwords to check");
    }
    try {
      if (attempt.isRefused()) {
        throw SaslFailure.refused();
      }
      return Passwords.matches(account, password);
    } finally {
      passwordChecks.release();
    }
  }

  /// The account's address, or null if no account can have that name.
  public static @Nullable Jid account(SaslRealm host, String name) {
    try {
      return Jid.of(name, host.domain().domain(), null);
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// A name derived from the parameters that does not reveal them.
  public String stableName(SaslRealm host, Jid account, String client, String tag) {
    byte[] name = derive(host, "resource", client + "\0" + tag, account.toString());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(name, NAME_BYTES));
  }

  private ScramKeys decoy(SaslRealm host, String name, String hash) {
    byte[] salt = Arrays.copyOf(derive(host, "salt", hash, name), Passwords.SALT_BYTES);
    // No proof matches these keys: no value is known whose hash is the stored key.
    byte[] storedKey = Arrays.copyOf(derive(host, "key", hash, name), digestBytes(hash));
    return new ScramKeys(hash, salt, Passwords.ITERATIONS, storedKey, storedKey);
  }

  private byte[] derive(SaslRealm host, String purpose, String hash, String name) {
    try {
      Mac mac = Mac.getInstance("HmacSHA512");
      mac.init(new SecretKeySpec(secret, mac.getAlgorithm()));
      for (String part : List.of(purpose, hash, host.domain().toString())) {
        mac.update(part.getBytes(StandardCharsets.UTF_8));
        mac.update((byte) 0);
      }
      return mac.doFinal(name.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC SHA-512", e);
    }
  }

  private static int digestBytes(String hash) {
    return switch (hash) {
      case "SHA-1" -> 20;
      case "SHA-256" -> 32;
      default -> 64;
    };
  }
}
