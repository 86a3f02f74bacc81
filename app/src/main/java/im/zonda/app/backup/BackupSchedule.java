package im.zonda.app.backup;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.runtime.ServerRuntime;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes backups when they are due, at one node of a cluster. A backup is due when the newest one
/// in the folder is older than `backup.every`; so the schedule goes on where it was when the server
/// starts again, and a folder that cannot be read is not filled.
///
/// @param config the configuration at present
/// @param operations runs the operation, which is audited like any other
/// @param isHere whether a home is at this node
public record BackupSchedule(
    Supplier<ServerConfig> config,
    Operations operations,
    Predicate<Jid> isHere,
    ServerRuntime runtime) {
  private static final Logger LOG = LoggerFactory.getLogger(BackupSchedule.class);
  private static final Duration LOOK = Duration.ofMinutes(5);
  private static final Caller SCHEDULE =
      new Caller("schedule", Caller.Via.SCHEDULE, null, Grant.ALL);

  /// Begins.
  public PeriodicTask start() {
    return PeriodicTask.start(runtime.scheduler(), LOOK, LOOK, runtime.workers(), this::run);
  }

  void run() {
    ServerConfig current = config.get();
    Duration every = current.backup().every();
    if (every.isZero()
        || !isHere.test(Jid.of(null, current.hosts().getFirst(), "backup"))
        || !isDue(current, every)) {
      return;
    }
    Outcome<Nothing> outcome = operations.run(SCHEDULE, BackupOperations.WRITE, Nothing.NOTHING);
    if (outcome instanceof Outcome.Refused<Nothing> refused) {
      LOG.atError().addKeyValue("reason", refused.text()).log("backup_not_begun");
    }
  }

  private boolean isDue(ServerConfig current, Duration every) {
    try {
      List<Backups.Found> all = Backups.list(BackupOperations.folder(current));
      Instant now = runtime.clock().instant();
      return all.isEmpty() || !all.getFirst().manifest().time().plus(every).isAfter(now);
    } catch (IOException e) {
      LOG.atError().setCause(e).log("backups_unreadable");
      return false;
    }
  }
}
