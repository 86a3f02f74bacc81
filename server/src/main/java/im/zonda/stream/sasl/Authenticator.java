package im.zonda.stream.sasl;

import im.zonda.auth.Passwords;
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
  ScramKeys keys(SaslRealm host, String name, String hash) {
    Jid jid = account(host, name);
    Account account = jid == null ? null : host.accounts().find(jid);
    if (account != null) {
      for (ScramKeys keys : account.keys()) {
        if (keys.hash().equals(hash)) {
          return keys;
        }
      }
    }
    return decoy(host, jid == null ? name : jid.toString(), hash);
  }

  /// Checks the password of the account with that name. Blocks.
  ///
  /// @throws SaslFailure if the password is not looked at, because too many are being checked or
  ///   too many logins of the address have failed
  boolean checkPassword(SaslRealm host, String name, String password, LoginThrottle.Attempt attempt)
      throws InterruptedException, SaslFailure {
    Jid jid = account(host, name);
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
