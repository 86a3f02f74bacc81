package im.zonda.console.login;

import im.zonda.hash.HashFunction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The sessions of those who have signed in, in memory: they end with the process. Any thread may
/// call.
public final class AdminSessions {
  /// A session that was not used for that long has ended.
  static final Duration IDLE = Duration.ofMinutes(30);

  /// No session is longer.
  static final Duration LONGEST = Duration.ofHours(12);

  /// The most sessions; one more ends the one that was not used for longest.
  static final int MOST = 200;

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

  private final InstantSource clock;
  private final RandomGenerator random;

  // Guarded by this object's monitor; by the hashes of their tokens.
  private final Map<String, AdminSession> sessions = new HashMap<>();

  /// @param random cryptographically strong
  public AdminSessions(InstantSource clock, RandomGenerator random) {
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
  synchronized String open(Identity identity, String address) {
    removeEnded();
    if (sessions.size() >= MOST) {
      sessions.values().stream()
          .min(Comparator.comparing(AdminSession::used))
          .ifPresent(each -> sessions.remove(each.key()));
    }
    String token = newToken();
    String key = key(token);
    String id = HashFunction.SHA_256.hex("id " + key).substring(0, ID_CHARACTERS);
    sessions.put(key, new AdminSession(id, key, identity, address, clock.instant()));
    return token;
  }

  /// The session with a token, which is used now; null if there is none, or no longer.
  synchronized @Nullable Shown use(@Nullable String token) {
    Shown found = find(token);
    if (found != null && token != null) {
      AdminSession session = sessions.get(key(token));
      if (session != null) {
        session.use(clock.instant());
      }
    }
    return found;
  }

  /// The session with a token, which is not used by that; null if there is none, or no longer.
  synchronized @Nullable Shown find(@Nullable String token) {
    if (token == null || token.length() > MOST_CHARACTERS) {
      return null;
    }
    removeEnded();
    AdminSession session = sessions.get(key(token));
    return session == null ? null : shown(session);
  }

  /// Ends the session of that name; false if there is none.
  synchronized boolean end(String id) {
    return sessions.values().removeIf(each -> each.id().equals(id));
  }

  /// All sessions by their names.
  synchronized List<Shown> all() {
    removeEnded();
    List<Shown> all = new ArrayList<>();
    sessions.values().forEach(each -> all.add(shown(each)));
    all.sort(Comparator.comparing(Shown::id));
    return all;
  }

  private static Shown shown(AdminSession session) {
    return new Shown(
        session.id(), session.identity(), session.address(), session.began(), session.used());
  }

  private void removeEnded() {
    Instant now = clock.instant();
    sessions.values().removeIf(each -> each.hasEnded(now));
  }

  private static String key(String token) {
    return HashFunction.SHA_256.hex("session " + token);
  }
}
