package im.zonda.app.doctor;

import static im.zonda.app.finding.ExpectFinding.is;

import im.zonda.app.finding.Finding.Level;
import im.zonda.storage.sql.log.StoreHealth;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DatabaseChecksTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  private static StoreHealth health(@Nullable Instant failing) {
    return new StoreHealth(
        "zonda.db",
        "SQLite 3",
        failing,
        failing == null ? null : StoreException.Category.FULL,
        failing == null ? null : "disk full",
        0,
        NOW,
        new StoreHealth.Counters(1, 1, 0, 0, 0, Duration.ZERO, Duration.ZERO));
  }

  @Test
  void storing() {
    is(
        Level.OK,
        DatabaseChecks.storing(new DatabaseFacts(health(null), "", null, true, true)),
        "SQLite 3 stores");
    is(
        Level.PROBLEM,
        DatabaseChecks.storing(new DatabaseFacts(health(NOW), "", null, true, true)),
        "since 2026-11-28T12:00:00Z: disk full");
    is(
        Level.PROBLEM,
        DatabaseChecks.storing(new DatabaseFacts(null, null, "connection refused", true, true)),
        "connection refused");
    is(
        Level.OK,
        DatabaseChecks.storing(new DatabaseFacts(null, "", null, true, true)),
        "it can be read");
    is(
        Level.OK,
        DatabaseChecks.storing(new DatabaseFacts(null, "", null, false, true)),
        "created at the first start");
  }

  @Test
  void commits() {
    is(Level.OK, DatabaseChecks.commits(new DatabaseFacts(null, "", null, true, true)));
    is(
        Level.PROBLEM,
        DatabaseChecks.commits(new DatabaseFacts(null, "fsync = off", null, true, true)),
        "fsync = off");
    is(
        Level.OK,
        DatabaseChecks.commits(new DatabaseFacts(null, null, "down", true, true)),
        "not known: ");
    is(
        Level.WARNING,
        DatabaseChecks.commits(new DatabaseFacts(null, "", null, true, false)),
        "storage.durable is false",
        "durable = true");
  }

  @Test
  void backups() {
    is(Level.WARNING, DatabaseChecks.backup(null, NOW), "there is none");
    is(Level.OK, DatabaseChecks.backup(NOW.minus(Duration.ofDays(2)), NOW), "48 hours old");
    is(Level.WARNING, DatabaseChecks.backup(NOW.minus(Duration.ofHours(49)), NOW), "49 hours old");
  }
}
