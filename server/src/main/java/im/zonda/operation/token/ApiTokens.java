package im.zonda.operation.token;

import im.zonda.jid.Jid;
import im.zonda.operation.Grant;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tokens of a server, in the store that all nodes of a cluster share. A token that comes with
/// a request is looked up there: one that another node has revoked is rejected at once. The list of
/// all is kept in memory for [#FRESH]. Blocks; any thread that may block may call.
public final class ApiTokens {
  private static final Logger LOG = LoggerFactory.getLogger(ApiTokens.class);

  /// The most tokens.
  public static final int MOST = 500;

  /// How long the list is used.
  static final Duration FRESH = Duration.ofSeconds(1);

  private static final Duration KEPT_EXPIRED = Duration.ofDays(30);
  private static final String STORE = "tokens";
  private static final String USES = "token-uses";

  /// The owner of what belongs to the server as a whole: a domain that no server can have (RFC
  /// 6761, section 6.4).
  private static final Jid OWNER = Jid.of("zonda.invalid");

  /// When a token was used last, to the hour, and from where.
  public record Use(Instant hour, String address) {
    private static Use of(byte[] bytes) {
      String[] parts = new String(bytes, StandardCharsets.UTF_8).split(" ", 2);
      return new Use(Instant.parse(parts[0]), parts[1]);
    }

    private byte[] bytes() {
      return (hour + " " + address).getBytes(StandardCharsets.UTF_8);
    }
  }

  private final KeyValueStore tokens;
  private final KeyValueStore uses;
  private final InstantSource clock;
  private final RandomGenerator random;

  // Guarded by this object's monitor.
  private List<ApiToken> known = List.of();
  private @Nullable Instant read;
  private final Map<String, Instant> used = new HashMap<>();

  /// @param stores the key-value stores by their names
  /// @param random cryptographically strong
  public ApiTokens(
      Function<String, KeyValueStore> stores, InstantSource clock, RandomGenerator random) {
    this.tokens = stores.apply(STORE);
    this.uses = stores.apply(USES);
    this.clock = clock;
    this.random = random;
  }

  /// All tokens by their names, also those that have expired.
  public synchronized List<ApiToken> all() {
    Instant now = clock.instant();
    if (read == null || now.isBefore(read) || !now.isBefore(read.plus(FRESH))) {
      known = load();
      read = now;
    }
    return known;
  }

  private List<ApiToken> load() {
    List<ApiToken> all = new ArrayList<>();
    tokens
        .all(OWNER)
        .forEach((key, bytes) -> {
          ApiToken token = read(key, bytes);
          if (token != null) {
            all.add(token);
          }
        });
    all.sort(Comparator.comparing(ApiToken::name));
    return List.copyOf(all);
  }

  private static @Nullable ApiToken read(String key, byte[] bytes) {
    try {
      return ApiToken.of(bytes);
    } catch (IllegalArgumentException e) {
      LOG.atError().addKeyValue("key", key).setCause(e).log("api_token_damaged");
      return null;
    }
  }

  /// The token of that name, or null.
  public @Nullable ApiToken named(String name) {
    return all().stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  /// Creates a token.
  ///
  /// @return its text, which nothing keeps; null if one has the name or there are [#MOST]
  public synchronized @Nullable String create(
      String name, Grant grant, String createdBy, Instant expires) {
    read = null;
    List<ApiToken> before = all();
    if (before.size() >= MOST || named(name) != null) {
      return null;
    }
    byte[] bytes = new byte[ApiToken.RANDOM_BYTES];
    random.nextBytes(bytes);
    String text = ApiToken.PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    String hash = HexFormat.of().formatHex(ApiToken.hash(text));
    ApiToken token =
        new ApiToken(
            name, hash, grant, createdBy, clock.instant().truncatedTo(ChronoUnit.SECONDS), expires);
    tokens.put(OWNER, token.key(), token.bytes());
    read = null;
    return text;
  }

  /// Removes the token of that name; false if there is none.
  public synchronized boolean revoke(String name) {
    read = null;
    boolean removed = false;
    // Two, if two nodes have created one at the same time.
    for (ApiToken token : all()) {
      if (token.name().equals(name)) {
        removed |= tokens.remove(OWNER, token.key());
        boolean _ = uses.remove(OWNER, token.key());
      }
    }
    read = null;
    return removed;
  }

  /// The token with that text if it has not expired, or null.
  @Nullable ApiToken find(String text) {
    byte[] hash = ApiToken.hash(text);
    String key = ApiToken.key(HexFormat.of().formatHex(hash));
    byte[] stored = tokens.get(OWNER, key);
    ApiToken found = stored == null ? null : read(key, stored);
    return found == null || !found.matches(hash) || found.hasExpired(clock.instant())
        ? null
        : found;
  }

  /// Notes that a token was used: one write an hour. A failure of the store is logged only.
  void note(ApiToken token, InetAddress from) {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    synchronized (this) {
      if (hour.equals(used.put(token.key(), hour))) {
        return;
      }
      if (used.size() > MOST) {
        used.keySet().retainAll(List.of(token.key())); // of tokens that were revoked
      }
    }
    try {
      uses.put(OWNER, token.key(), new Use(hour, from.getHostAddress()).bytes());
    } catch (StoreException e) {
      LOG.atWarn().addKeyValue("token", token.name()).setCause(e).log("api_token_use_not_noted");
    }
  }

  /// When tokens were used last, by their names.
  public Map<String, Use> uses() {
    Map<String, byte[]> stored = uses.all(OWNER);
    Map<String, Use> byName = new HashMap<>();
    for (ApiToken token : all()) {
      byte[] bytes = stored.get(token.key());
      if (bytes != null) {
        byName.put(token.name(), Use.of(bytes));
      }
    }
    return byName;
  }

  /// Removes tokens that have expired long ago, and what is left of revoked ones.
  public synchronized void clean() {
    read = null;
    Instant old = clock.instant().minus(KEPT_EXPIRED);
    List<String> kept = new ArrayList<>();
    for (ApiToken token : all()) {
      if (token.hasExpired(old)) {
        boolean _ = tokens.remove(OWNER, token.key());
      } else {
        kept.add(token.key());
      }
    }
    for (String key : uses.all(OWNER).keySet()) {
      if (!kept.contains(key)) {
        boolean _ = uses.remove(OWNER, key);
      }
    }
    read = null;
  }
}
