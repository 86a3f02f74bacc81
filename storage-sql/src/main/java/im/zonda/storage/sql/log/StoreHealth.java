package im.zonda.storage.sql.log;

import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The current state of the store.
///
/// @param database the address of the database or its file
/// @param product the kind of database and its version
/// @param failingSince since when nothing can be stored, or null if the store works
/// @param category the kind of the failure, or null
/// @param reason the failure as text, or null
/// @param queuedBytes bytes that wait for a commit
/// @param lastCommit the time of the last commit, or null
/// @param counters counters since the start
public record StoreHealth(
    String database,
    String product,
    @Nullable Instant failingSince,
    StoreException.@Nullable Category category,
    @Nullable String reason,
    long queuedBytes,
    @Nullable Instant lastCommit,
    Counters counters) {
  /// Counts since the start.
  ///
  /// @param commits transactions committed
  /// @param entries operations committed in them: log entries, deliveries, blocking writes
  /// @param failures transactions that failed
  /// @param lost operations that failed although the database works
  /// @param damaged damaged rows found when reading
  /// @param meanCommit mean time of a transaction from its first statement to the end of the commit
  /// @param maxCommit the longest such time
  public record Counters(
      long commits,
      long entries,
      long failures,
      long lost,
      long damaged,
      Duration meanCommit,
      Duration maxCommit) {}

  /// Whether the store works.
  public boolean ok() {
    return failingSince == null;
  }
}
