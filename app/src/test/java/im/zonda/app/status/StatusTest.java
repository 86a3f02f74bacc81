package im.zonda.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.operation.Input;
import im.zonda.operation.InvalidInputException;
import im.zonda.operation.Shape;
import im.zonda.storage.cache.CacheStatistics;
import im.zonda.storage.sql.log.StoreHealth;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusTest {
  private static final Instant START = Instant.parse("2026-11-20T08:00:00Z");
  private static final Instant NOW = Instant.parse("2026-11-22T09:01:02Z");

  private static ServerStatus status(@Nullable Instant failing, @Nullable String reason) {
    return status(failing, reason, null);
  }

  private static ServerStatus status(
      @Nullable Instant failing, @Nullable String reason, ServerStatus.@Nullable Cluster cluster) {
    StoreHealth.Counters counters =
        new StoreHealth.Counters(7, 9, 1, 0, 0, Duration.ofMillis(2), Duration.ofMillis(5));
    StoreHealth health =
        new StoreHealth(
            "/srv/zonda/zonda.db",
            "SQLite 3.51",
            failing,
            failing == null ? null : StoreException.Category.FULL,
            reason,
            20_480,
            NOW.minusSeconds(3),
            counters);
    return new ServerStatus(
        "1.2",
        START,
        Duration.between(START, NOW).toSeconds(),
        new ServerStatus.Sessions(15, 12, 2),
        new ServerStatus.Homes(14, 3),
        cluster,
        List.of(
            new ServerStatus.Host("example.org", 9, NOW.plus(Duration.ofDays(30))),
            new ServerStatus.Host("b.example", 1, NOW.minusSeconds(1)),
            new ServerStatus.Host("c.example", 0, null)),
        List.of(
            new ServerStatus.Port("c2s.listen", "127.0.0.1:5222"),
            new ServerStatus.Port("http.listen-tls", "[::1]:5281")),
        new ServerStatus.Memory(120L << 20, 512L << 20),
        new ServerStatus.Disk(900L << 20, 1_000L << 20),
        List.of(),
        ServerStatus.Log.of(health, 1.25),
        ServerStatus.Database.of(health),
        List.of(
            ServerStatus.Cache.of(
                new CacheStatistics(
                    "rosters", 4, 2_048, 1_048_576, 3, 1, Duration.ofNanos(90_000), 5)),
            ServerStatus.Cache.of(
                new CacheStatistics("rooms", 0, 0, 1_048_576, 0, 0, Duration.ZERO, 0))));
  }

  /// As the server answers.
  private static String json(ServerStatus status) {
    return JsonText.of(StatusOperations.STATUS.result().data(status)) + "\n";
  }

  /// As a command prints what the server has answered.
  private static String text(ServerStatus status) throws InvalidInputException {
    Shape shape = StatusOperations.STATUS.result();
    return StatusText.of((ServerStatus) Input.read(shape, JsonReader.object(json(status))));
  }

  @Test
  void isReadableAsText() throws Exception {
    assertThat(text(status(null, null)))
        .isEqualTo(
            """
            zonda 1.2, up 2 d 1:01:02
              sessions   12 online, 2 detached; 15 connections
              homes      14 accounts, 3 rooms
              hosts      example.org: 9 users online; certificate until 2026-12-22T09:01:02Z, 30 days left
                         b.example: 1 user online; certificate until 2026-11-22T09:01:01Z, EXPIRED
                         c.example: 0 users online; no certificate names it
              listeners  127.0.0.1:5222 (c2s.listen)
                         [::1]:5281 (http.listen-tls)
              memory     120 MiB of the heap are used, 512 MiB at most
              disk       900 MiB of 1000 MiB are free
              log        20 KiB wait for a commit; 1.3 commits/s, the last one at 2026-11-22T09:00:59Z
              database   SQLite 3.51 at /srv/zonda/zonda.db: storing

              cache          entries      size     bound  hit rate       hits     misses mean load   evicted
              rosters              4    2048 B  1024 KiB    75.0 %          3          1     90 us         5
              rooms                0       0 B  1024 KiB         -          0          0         -         0
            """);
  }

  @Test
  void hasTheNodeOfACluster() throws Exception {
    ServerStatus.Cluster node =
        new ServerStatus.Cluster("a.7", "draining", "5/27", 12, 3, 86, 2, 4, 9);
    assertThat(text(status(null, null, node)))
        .contains(
            """
              cluster    a.7, draining; placement 5/27 of 3 members, 12 since the start
                         home of 86 segments, 2 moving; 4 stanzas on their way to other nodes, 9 values not confirmed
            """);
    assertThat(json(status(null, null, node)))
        .contains(
            "\"cluster\":{\"node\":\"a.7\",\"state\":\"draining\",\"placement\":\"5/27\",\"placements\":12,"
                + "\"members\":3,\"segments\":86,\"movingSegments\":2,\"forwardedStanzas\":4,"
                + "\"unconfirmedValues\":9}");
  }

  @Test
  void isOneJsonObject() {
    assertThat(json(status(null, null)))
        .startsWith(
            "{\"version\":\"1.2\",\"started\":\"2026-11-20T08:00:00Z\",\"uptimeSeconds\":176462,")
        .contains(
            "\"hosts\":[{\"host\":\"example.org\",\"online\":9,"
                + "\"certificateEnds\":\"2026-12-22T09:01:02Z\"},")
        .contains("{\"host\":\"c.example\",\"online\":0,\"certificateEnds\":null}],")
        .contains("\"listeners\":[{\"key\":\"c2s.listen\",\"address\":\"127.0.0.1:5222\"},")
        .contains("\"heapUsedBytes\":125829120")
        .contains("\"freeBytes\":943718400")
        .contains("\"queuedBytes\":20480,\"commitsPerSecond\":1.25,")
        .contains(
            "{\"product\":\"SQLite"
                + " 3.51\",\"name\":\"/srv/zonda/zonda.db\",\"storing\":true,\"failingSince\":null,")
        .contains(
            "[{\"node\":null,\"name\":\"rosters\",\"entries\":4,\"bytes\":2048,\"bound\":1048576,"
                + "\"hits\":3,\"misses\":1,\"loadMicros\":90,\"evictions\":5},")
        .endsWith("]}\n");
  }

  @Test
  void namesTheCauseOfAnOutage() throws Exception {
    ServerStatus failing = status(NOW.minusSeconds(60), "disk \"full\"\n\\");
    assertThat(text(failing))
        .contains("zonda.db: not storing since 2026-11-22T09:00:02Z (FULL: disk \"full\"");
    assertThat(json(failing))
        .contains("\"category\":\"FULL\",\"reason\":\"disk \\\"full\\\"\\u000a\\\\\"");
  }

  @Test
  void theRateIsThatOfTheLastSeconds() {
    AtomicLong commits = new AtomicLong(1_000);
    AtomicReference<Instant> now = new AtomicReference<>(NOW);
    CommitRate rate = new CommitRate(commits::get, now::get);
    assertThat(rate.perSecond()).isZero();
    for (int i = 0; i < 5; i++) {
      commits.addAndGet(30);
      now.updateAndGet(time -> time.plus(CommitRate.PERIOD));
      assertThat(rate.perSecond()).isEqualTo(3.0);
      rate.sample();
    }
    now.updateAndGet(time -> time.plus(CommitRate.PERIOD));
    assertThat(rate.perSecond()).isEqualTo(1.5);
    rate.sample();
    now.updateAndGet(time -> time.plus(CommitRate.PERIOD));
    assertThat(rate.perSecond()).isZero();
  }
}
