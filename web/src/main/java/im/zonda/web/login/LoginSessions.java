package im.zonda.web.login;

import im.zonda.account.PasswordLogin;
import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.store.KeyValueStore;
import im.zonda.store.Stores;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sessions of people who have signed in, kept with their accounts.
///
/// A session has two values: one that is written when it begins, under the hash of its token, and
/// the time at which it was used last, which may be written again after the session has ended at
/// another node and then means nothing. So a session that has ended never comes back. Calls block.
public final class LoginSessions {
  /// The name of the key-value store.
  public static final String STORE = "signins";

  /// A session that was not used for that long has ended.
  static final Duration IDLE = Duration.ofMinutes(30);

  /// No session is longer.
  static final Duration LONGEST = Duration.ofHours(12);

  /// The most sessions of one account; one more ends the one that was not used for longest.
  static final int MOST = 10;

  /// How exactly it is known when a session was used last.
  private static final Duration PRECISION = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(LoginSessions.class);
  private static final String USED = ":used";
  private static final int TOKEN_LENGTH = 43; // 256 bits in Base64

  private final KeyValueStore values;
  private final PasswordLogin passwords;
  private final InstantSource clock;
  private final IdSource ids;

  /// @param values the store named [#STORE]
  /// @param passwords says whether the password is still that with which a session began
  /// @param ids identifiers of at least 128 random bits
  public LoginSessions(
      KeyValueStore values, PasswordLogin passwords, InstantSource clock, IdSource ids) {
    this.values = values;
    this.passwords = passwords;
    this.clock = clock;
    this.ids = ids;
  }

  /// Begins a session of someone who has proved the password.
  ///
  /// @param mark the mark of the account ([PasswordLogin#mark])
  public LoginSession open(Jid account, String mark) {
    makeRoom(account);
    Instant now = clock.instant();
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String name = String.valueOf(account.local());
    String token =
        base64.encodeToString(HashFunction.SHA_256.hash(ids.next() + ids.next()))
            + base64.encodeToString(name.getBytes(StandardCharsets.UTF_8));
    byte[] text = mark.getBytes(StandardCharsets.UTF_8);
    values.put(
        account,
        key(token),
        ByteBuffer.allocate(Long.BYTES + text.length)
            .putLong(now.toEpochMilli())
            .put(text)
            .array());
    return new LoginSession(account, token, now);
  }

  /// The session with a token, which is used now; null if there is none, or no longer.
  ///
  /// @param host the domain of the account
  public @Nullable LoginSession find(Jid host, @Nullable String token) {
    Jid account = token == null ? null : account(host, token);
    if (account == null || token == null) {
      return null;
    }
    String key = key(token);
    byte[] value = values.get(account, key);
    if (value == null) {
      return null;
    }
    Instant now = clock.instant();
    Instant began = time(value);
    Instant used = used(values.get(account, key + USED), began);
    if (hasEnded(began, used, now) || !passwords.isCurrent(account, mark(value))) {
      remove(account, key);
      return null;
    }
    if (used.plus(PRECISION).isBefore(now)) {
      use(account, key, now);
    }
    return new LoginSession(account, token, began);
  }

  private void use(Jid account, String key, Instant now) {
    try {
      values.put(account, key + USED, write(now));
    } catch (Stores.MissingOwnerException e) {
      // The account is being removed, and its sessions with it.
      LOG.atDebug().addKeyValue("jid", account).setCause(e).log("page_session_without_account");
    }
  }

  /// Ends a session.
  public void close(LoginSession session) {
    remove(session.account(), key(session.token()));
  }

  /// Ends all sessions of an account.
  public void closeAll(Jid account) {
    values.all(account).keySet().forEach(key -> values.remove(account, key));
  }

  private void remove(Jid account, String key) {
    values.remove(account, key);
    values.remove(account, key + USED);
  }

  /// A session in the store.
  private record Stored(String key, Instant used) {}

  /// Removes what has ended, and the sessions that are too many for another one.
  private void makeRoom(Jid account) {
    Map<String, byte[]> all = values.all(account);
    Instant now = clock.instant();
    List<Stored> open = new ArrayList<>();
    all.forEach((key, value) -> {
      if (key.endsWith(USED)) {
        if (!all.containsKey(key.substring(0, key.length() - USED.length()))) {
          values.remove(account, key);
        }
        return;
      }
      Instant began = time(value);
      Instant used = used(all.get(key + USED), began);
      if (hasEnded(began, used, now)) {
        remove(account, key);
      } else {
        open.add(new Stored(key, used));
      }
    });
    open.sort(Comparator.comparing(Stored::used).reversed());
    for (int i = MOST - 1; i < open.size(); i++) {
      remove(account, open.get(i).key());
    }
  }

  private static boolean hasEnded(Instant began, Instant used, Instant now) {
    // A session of the future began before the clock was set back.
    return !now.isBefore(began.plus(LONGEST))
        || !now.isBefore(used.plus(IDLE))
        || began.isAfter(now.plus(LONGEST));
  }

  // ---- values

  private static byte[] write(Instant time) {
    return ByteBuffer.allocate(Long.BYTES).putLong(time.toEpochMilli()).array();
  }

  private static Instant used(byte @Nullable [] value, Instant began) {
    return value == null ? began : time(value);
  }

  /// The time at the beginning of a value; that of a damaged one is long ago.
  private static Instant time(byte[] value) {
    return value.length < Long.BYTES
        ? Instant.EPOCH
        : Instant.ofEpochMilli(ByteBuffer.wrap(value).getLong());
  }

  private static String mark(byte[] value) {
    return new String(value, Long.BYTES, value.length - Long.BYTES, StandardCharsets.UTF_8);
  }

  private static String key(String token) {
    return HashFunction.SHA_256.hex(token);
  }

  /// The account that a token names; null if it is none.
  private static @Nullable Jid account(Jid host, String token) {
    if (token.length() <= TOKEN_LENGTH) {
      return null;
    }
    try {
      byte[] name = Base64.getUrlDecoder().decode(token.substring(TOKEN_LENGTH));
      String local = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
      Jid account = Jid.stored(local + '@' + host.domain());
      return account.isBare() && account.domainJid().equals(host) ? account : null;
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return null; // not Base64, not UTF-8, or no address
    }
  }
}
