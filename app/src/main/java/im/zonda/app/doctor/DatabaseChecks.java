package im.zonda.app.doctor;

import im.zonda.app.finding.Finding;
import im.zonda.storage.sql.log.StoreHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks of the database and of its backups.
final class DatabaseChecks {
  private static final Duration OLD = Duration.ofDays(2);

  private DatabaseChecks() {}

  /// Whether it stores.
  static Finding storing(DatabaseFacts database) {
    StoreHealth health = database.health();
    if (health != null && !health.ok()) {
      return Finding.problem(
          "database",
          health.database()
              + " stores nothing since "
              + health.failingSince()
              + ": "
              + health.reason(),
          "messages wait until it does; look at the server's log for store_failing");
    }
    if (health != null) {
      return Finding.ok("database", health.product() + " stores");
    }
    if (database.failure() != null) {
      return Finding.problem("database", database.failure());
    }
    return Finding.ok(
        "database", database.exists() ? "it can be read" : "it is created at the first start");
  }

  /// Whether commits are on the disk.
  static Finding commits(DatabaseFacts database) {
    String risks = database.risks();
    if (!database.isDurable()) {
      return Finding.warning(
          "commits",
          "storage.durable is false: a crash loses messages that were acknowledged",
          "[storage]",
          "durable = true");
    }
    if (risks == null) {
      return Finding.unknown("commits", "the settings of the database could not be read");
    }
    return risks.isEmpty()
        ? Finding.ok("commits", "they are on the disk before they are reported")
        : Finding.problem(
            "commits",
            "the database may lose commits that it has confirmed: " + risks,
            "PostgreSQL: fsync = on, full_page_writes = on",
            "MariaDB: innodb_flush_log_at_trx_commit = 1");
  }

  /// The age of the newest backup.
  ///
  /// @param newest when it was made; null if there is none
  static Finding backup(@Nullable Instant newest, Instant now) {
    String advice = "set every = \"1d\" in [backup], or run: zonda backup FOLDER";
    if (newest == null) {
      return Finding.warning("backup", "there is none", advice);
    }
    Duration age = Duration.between(newest, now);
    String text = "the newest one is of " + newest + ", " + age.toHours() + " hours old";
    return age.compareTo(OLD) > 0
        ? Finding.warning("backup", text, advice)
        : Finding.ok("backup", text);
  }

  static List<Finding> all(DatabaseFacts database) {
    return List.of(storing(database), commits(database));
  }
}
