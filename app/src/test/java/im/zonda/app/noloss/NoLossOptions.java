package im.zonda.app.noloss;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How long a run lasts. It goes on until all that is given has been reached.
///
/// @param kills at least that many kills
/// @param faults at least that many faults of the database, if it is a server
/// @param messages at least that many acknowledged messages
/// @param time at least that long
/// @param seed what chance is made from
/// @param durable the server's `storage.durable`
/// @param longestLife the longest time from ready to the end of a life
/// @param storage the database
/// @param longestFault the longest time that a fault of the database lasts
/// @param layout which processes there are
record NoLossOptions(
    int kills,
    int faults,
    long messages,
    Duration time,
    long seed,
    boolean durable,
    Duration longestLife,
    RunStorage storage,
    Duration longestFault,
    Layout layout) {
  /// Which processes there are.
  enum Layout {
    /// One server.
    SERVER,
    /// Two servers, whose users send to each other.
    FEDERATION,
    /// One server and two edges, to which the clients connect.
    EDGES
  }

  /// The kills of a short run on SQLite, at most.
  private static final int SHORT_KILLS = 3;

  /// Longer than an answer of the database may take.
  private static final Duration LONGEST_FAULT = Duration.ofSeconds(14);

  /// Servers need some seconds until they are connected to each other again.
  private static final Duration LONGEST_FEDERATED_LIFE = Duration.ofSeconds(5);

  /// A run on SQLite.
  static NoLossOptions sqlite(int kills, long seed, boolean durable) {
    return new NoLossOptions(
        kills,
        0,
        0,
        Duration.ZERO,
        seed,
        durable,
        Duration.ofMillis(1_500),
        RunStorage.SQLITE,
        Duration.ZERO,
        Layout.SERVER);
  }

  /// A run with two servers, or with edges, on SQLite.
  static NoLossOptions of(Layout layout, int kills, long seed, boolean durable) {
    return new NoLossOptions(
        kills,
        0,
        0,
        Duration.ZERO,
        seed,
        durable,
        LONGEST_FEDERATED_LIFE,
        RunStorage.SQLITE,
        Duration.ZERO,
        layout);
  }

  /// A short run on a database server, each fault of which is short.
  static NoLossOptions server(RunStorage storage, int kills, int faults, long seed) {
    return new NoLossOptions(
        kills,
        faults,
        0,
        Duration.ZERO,
        seed,
        true,
        Duration.ofSeconds(1),
        storage,
        Duration.ofSeconds(1),
        Layout.SERVER);
  }

  /// The options that were given on the command line as properties `zonda.no-loss.*`; null if none
  /// was.
  static @Nullable NoLossOptions given() {
    Long minutes = number("minutes");
    Long kills = number("kills");
    Long messages = number("messages");
    Long faults = number("faults");
    RunStorage storage = RunStorage.of(System.getProperty("zonda.no-loss.storage", "sqlite"));
    if (minutes == null && faults == null && kills == null && messages == null) {
      return null;
    }
    Long seed = number("seed");
    long some = kills == null ? 1 : kills;
    Layout layout =
        Layout.valueOf(
            System.getProperty("zonda.no-loss.layout", "server").toUpperCase(Locale.ROOT));
    return new NoLossOptions(
        Math.toIntExact(some),
        storage == RunStorage.SQLITE ? 0 : Math.toIntExact(faults == null ? some : faults),
        messages == null ? 0 : messages,
        Duration.ofMinutes(minutes == null ? 0 : minutes),
        seed == null ? System.nanoTime() % 1_000_000 : seed,
        !"false".equals(System.getProperty("zonda.no-loss.durable")),
        layout == Layout.FEDERATION ? LONGEST_FEDERATED_LIFE : Duration.ofSeconds(3),
        storage,
        LONGEST_FAULT,
        layout);
  }

  /// Whether few clients are enough: in a short run, which is one of many tests, and has the
  /// processors for itself never. With many clients a server that loses something is found sooner.
  boolean isSmall() {
    return durable && !isLong() && (storage != RunStorage.SQLITE || kills <= SHORT_KILLS);
  }

  /// Whether it takes minutes.
  boolean isLong() {
    return kills + faults > 20 || messages > 100_000 || time.toMinutes() > 1;
  }

  private static @Nullable Long number(String name) {
    String value = System.getProperty("zonda.no-loss." + name);
    return value == null || value.isEmpty() ? null : Long.valueOf(value);
  }
}
