package im.zonda.auth.provider;

import im.zonda.account.provider.ProvidedAccount;
import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Answers of one provider that are kept in memory: the last right password of an account, as a
/// hash with a key that this process alone has, and wrong ones for a few seconds, so that a client
/// that repeats one does not lock the account there. Safe for use by several threads.
final class KeptAnswers {
  /// How long a wrong password is wrong without a question.
  static final Duration WRONG = Duration.ofSeconds(10);

  static final int MOST_ACCOUNTS = 100_000;
  private static final int MOST_WRONG = 10_000;
  private static final int KEY_BYTES = 32;

  private final SecretKeySpec key;
  private final InstantSource clock;

  // Guarded by this object's monitor.
  private final Map<Jid, Kept> accounts = bounded(MOST_ACCOUNTS);
  private final Map<Wrong, Instant> wrong = bounded(MOST_WRONG);

  /// What is known of an account.
  ///
  /// @param hash of its last right password; null if only the account was looked up
  /// @param proved when the password was right
  /// @param account what the provider has said of it; null if the provider no longer has it
  /// @param found when
  @SuppressWarnings("ArrayRecordComponent") // compared in constant time only
  private record Kept(
      byte @Nullable [] hash, Instant proved, @Nullable ProvidedAccount account, Instant found) {}

  private record Wrong(Jid account, String hash) {}

  /// A right password that was kept.
  ///
  /// @param age the time since the provider has said so
  record Proved(ProvidedAccount account, Duration age) {}

  /// Whether the provider still has an account that was looked up.
  ///
  /// @param account null if it does not
  /// @param age the time since the provider has said so
  record Found(@Nullable ProvidedAccount account, Duration age) {}

  KeptAnswers(RandomGenerator random, InstantSource clock) {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    this.key = new SecretKeySpec(bytes, "HmacSHA256");
    this.clock = clock;
  }

  private static <K, V> Map<K, V> bounded(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }

  /// The answer if that was the account's last right password; null otherwise.
  @Nullable Proved proved(Jid account, String password) {
    byte[] hash = hash(account, password);
    Kept kept;
    synchronized (this) {
      kept = accounts.get(account);
    }
    if (kept == null || kept.hash == null || kept.account == null) {
      return null;
    }
    return MessageDigest.isEqual(kept.hash, hash)
        ? new Proved(kept.account, Duration.between(kept.proved, clock.instant()))
        : null;
  }

  /// Whether that password was wrong a moment ago.
  boolean isWrong(Jid account, String password) {
    Wrong asked = new Wrong(account, text(hash(account, password)));
    synchronized (this) {
      Instant since = wrong.get(asked);
      return since != null && since.plus(WRONG).isAfter(clock.instant());
    }
  }

  void keepRight(Jid account, String password, ProvidedAccount answer) {
    byte[] hash = hash(account, password);
    Instant now = clock.instant();
    synchronized (this) {
      accounts.put(account, new Kept(hash, now, answer, now));
      wrong.remove(new Wrong(account, text(hash)));
    }
  }

  /// Keeps that a password is wrong; one that was right is no longer.
  void keepWrong(Jid account, String password) {
    byte[] hash = hash(account, password);
    synchronized (this) {
      wrong.put(new Wrong(account, text(hash)), clock.instant());
      Kept kept = accounts.get(account);
      if (kept != null && kept.hash != null && MessageDigest.isEqual(kept.hash, hash)) {
        accounts.remove(account);
      }
    }
  }

  /// What was found of the account last; null if it was not looked up.
  synchronized @Nullable Found found(Jid account) {
    Kept kept = accounts.get(account);
    return kept == null
        ? null
        : new Found(kept.account, Duration.between(kept.found, clock.instant()));
  }

  /// Keeps that an account was looked up. A password of one that is gone is no longer right.
  ///
  /// @param answer null if the provider does not have it
  void keepFound(Jid account, @Nullable ProvidedAccount answer) {
    Instant now = clock.instant();
    synchronized (this) {
      Kept kept = accounts.get(account);
      byte[] hash = kept == null || answer == null ? null : kept.hash;
      Instant proved = kept == null ? now : kept.proved;
      accounts.put(account, new Kept(hash, proved, answer, now));
    }
  }

  /// The provider has no account of a name that a client has given. Nothing is kept, so that names
  /// of strangers displace nobody.
  synchronized void forgetUnknown(Jid account) {
    accounts.remove(account);
  }

  /// Forgets what is kept of an account.
  synchronized void forget(Jid account) {
    accounts.remove(account);
    wrong.keySet().removeIf(each -> each.account().equals(account));
  }

  private byte[] hash(Jid account, String password) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.update(account.toString().getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC SHA-256", e);
    }
  }

  private static String text(byte[] hash) {
    return new String(hash, StandardCharsets.ISO_8859_1);
  }
}
