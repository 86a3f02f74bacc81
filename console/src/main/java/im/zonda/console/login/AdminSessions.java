package im.zonda.console.login;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sessions of those who have signed in, in the store: they survive a restart, and every node
/// of a cluster has them. The store has hashes of their tokens. While it fails, a node goes on with
/// those that it knows, and new ones begin: that is when the console is needed.
///
/// A session has two values: one that is written when it begins, and the time at which it was used
/// last, which means nothing once the session has ended. Calls block; any thread that may block may
/// call.
public final class AdminSessions {
  /// The name of the key-value store.
  public static final String STORE = "console-sessions";

  /// A session that was not used for that long has ended.
  static final Duration IDLE = Duration.ofMinutes(30);

  /// No session is longer.
  static final Duration LONGEST = Duration.ofHours(12);

  /// The most sessions; one more ends the one that was not used for longest.
  static final int MOST = 200;

  /// How exactly it is known when a session was used last.
  static final Duration PRECISION = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(AdminSessions.class);

  /// The owner of what belongs to the server as a whole: a domain that no server can have (RFC
  /// 6761, section 6.4).
  private static final Jid OWNER = Jid.stored("zonda.invalid");

  private static final String USED = ":used";
  private static final int TOKEN_BYTES = 32;
  private static final int ID_CHARACTERS = 12;
  private static final int MOST_CHARACTERS = 100;

  /// A session as others see it.
  ///
  /// @param id its name
  /// @param identity who has signed in
  /// @param address from where
  /// @param began when
  /// @param used when it was used last
  record Shown(String id, Identity identity, String address, Instant began, Instant used) {}

  private final KeyValueStore values;
  private final InstantSource clock;
  private final RandomGenerator random;

  // By the hashes of their tokens: what the store had last.
  private final ConcurrentMap<String, Shown> known = new ConcurrentHashMap<>();

  // Those of them that the store has not taken: a full disk can be read and not written.
  private final Set<String> unwritten = ConcurrentHashMap.newKeySet();

  /// @param values the store named [#STORE]
  /// @param random cryptographically strong
  public AdminSessions(KeyValueStore values, InstantSource clock, RandomGenerator random) {
    this.values = values;
    this.clock = clock;
    this.random = random;
  }

  /// A value that nobody can guess.
  String newToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// Begins a session; returns the token by which the browser proves it, which nothing keeps.
  String open(Identity identity, String address) {
    readAll();
    if (known.size() >= MOST) {
      known.entrySet().stream()
          .min(Map.Entry.comparingByValue(Comparator.comparing(Shown::used)))
          .ifPresent(each -> forget(each.getKey()));
    }
    String token = newToken();
    String key = key(token);
    Instant now = clock.instant();
    Shown session = new Shown(id(key), identity, address, now, now);
    known.put(key, session);
    unwritten.add(key);
    writeNew(key, session);
    return token;
  }

  private static String id(String key) {
    return HashFunction.SHA_256.hex("id " + key).substring(0, ID_CHARACTERS);
  }

  /// The session with a token, which is used now; null if there is none, or no longer.
  @Nullable Shown use(@Nullable String token) {
    Shown found = find(token);
    if (found == null || token == null) {
      return null;
    }
    Instant now = clock.instant();
    if (!now.isBefore(found.used().plus(PRECISION))) {
      String key = key(token);
      known.put(key, used(found, now));
      if (unwritten.contains(key)) {
        writeNew(key, found);
      }
      boolean _ =
          write(key + USED, Long.toString(now.toEpochMilli()).getBytes(StandardCharsets.UTF_8));
    }
    return found;
  }

  private static Shown used(Shown session, Instant now) {
    return new Shown(session.id(), session.identity(), session.address(), session.began(), now);
  }

  /// The session with a token, which is not used by that; null if there is none, or no longer.
  @Nullable Shown find(@Nullable String token) {
    if (token == null || token.length() > MOST_CHARACTERS) {
      return null;
    }
    String key = key(token);
    try {
      byte[] stored = values.get(OWNER, key);
      Shown read = stored == null ? null : read(key, stored, values.get(OWNER, key + USED));
      if (read != null) {
        known.put(key, read);
      } else if (!unwritten.contains(key)) {
        known.remove(key);
      }
    } catch (StoreException e) {
      LOG.atDebug().setCause(e).log("console_sessions_not_read");
    }
    Shown found = known.get(key);
    if (found != null && hasEnded(found)) {
      forget(key);
      return null;
    }
    return found;
  }

  private static @Nullable Shown read(String key, byte[] stored, byte @Nullable [] used) {
    try {
      StoredSession session = StoredSession.of(stored);
      Instant last =
          used == null
              ? session.began()
              : Instant.ofEpochMilli(Long.parseLong(new String(used, StandardCharsets.UTF_8)));
      return new Shown(id(key), session.identity(), session.address(), session.began(), last);
    } catch (IllegalArgumentException e) {
      LOG.atError().setCause(e).log("console_session_damaged");
      return null;
    }
  }

  private boolean hasEnded(Shown session) {
    Instant now = clock.instant();
    return !now.isBefore(session.used().plus(IDLE))
        || !now.isBefore(session.began().plus(LONGEST))
        // It is of the future: it began before the clock was set back.
        || session.began().isAfter(now.plus(LONGEST));
  }

  /// Ends the session of that name; false if there is none.
  ///
  /// @throws StoreException if it has ended at this node only
  boolean end(String id) {
    readAll();
    for (Map.Entry<String, Shown> each : Map.copyOf(known).entrySet()) {
      if (each.getValue().id().equals(id)) {
        remove(each.getKey());
        return true;
      }
    }
    return false;
  }

  /// Ends all sessions of someone but one.
  ///
  /// @param name who has signed in
  /// @param kept the name of the session that goes on
  public void endOthers(String name, String kept) {
    readAll();
    for (Map.Entry<String, Shown> each : Map.copyOf(known).entrySet()) {
      Shown session = each.getValue();
      if (session.identity().name().equals(name) && !session.id().equals(kept)) {
        remove(each.getKey());
      }
    }
  }

  /// All sessions by their names.
  List<Shown> all() {
    readAll();
    List<Shown> all = new ArrayList<>(known.values());
    all.sort(Comparator.comparing(Shown::id));
    return all;
  }

  /// Reads what the store has, and removes from it what has ended.
  private void readAll() {
    try {
      Map<String, byte[]> stored = values.all(OWNER);
      known.keySet().retainAll(unwritten);
      stored.forEach((key, value) -> {
        if (key.endsWith(USED)) {
          if (!stored.containsKey(key.substring(0, key.length() - USED.length()))) {
            boolean _ = values.remove(OWNER, key);
          }
          return;
        }
        Shown session = read(key, value, stored.get(key + USED));
        if (session == null || hasEnded(session)) {
          remove(key);
        } else {
          known.put(key, session);
        }
      });
    } catch (StoreException e) {
      LOG.atDebug().setCause(e).log("console_sessions_not_read");
      known.values().removeIf(this::hasEnded);
    }
  }

  private void writeNew(String key, Shown session) {
    if (write(
        key, new StoredSession(session.identity(), session.address(), session.began()).bytes())) {
      unwritten.remove(key);
    }
  }

  /// Whether the store has taken the value.
  private boolean write(String key, byte[] value) {
    try {
      values.put(OWNER, key, value);
      return true;
    } catch (StoreException e) {
      LOG.atWarn().setCause(e).log("console_session_not_written");
      return false;
    }
  }

  /// Removes what has ended by itself.
  private void forget(String key) {
    try {
      remove(key);
    } catch (StoreException e) {
      LOG.atDebug().setCause(e).log("console_session_not_removed");
    }
  }

  private void remove(String key) {
    known.remove(key);
    unwritten.remove(key);
    boolean _ = values.remove(OWNER, key);
    boolean _ = values.remove(OWNER, key + USED);
  }

  private static String key(String token) {
    return HashFunction.SHA_256.hex("session " + token);
  }
}
