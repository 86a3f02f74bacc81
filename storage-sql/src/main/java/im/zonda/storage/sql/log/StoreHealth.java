package im.zonda.storage.sql.log;

import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How the store is at this moment.
///
/// @param failingSince since when nothing can be stored, or null if all is well
/// @param category why, or null
/// @param reason why, for people, or null
/// @param queuedBytes bytes that wait for the commit
/// @param lastCommit when the last commit was made, or null
/// @param counters what was done since the start
public record StoreHealth(
    @Nullable Instant failingSince,
    StoreException.@Nullable Category category,
    @Nullable String reason,
    long queuedBytes,
    @Nullable Instant lastCommit,
    Counters counters) {
  /// Counts since the start.
  ///
  /// @param commits transactions committed
  /// @param entries works committed in them: log entries, deliveries, changes
  /// @param failures transactions that failed
  /// @param lost works that could not be stored by their own fault
  /// @param damaged rows found damaged when read
  /// @param meanCommit mean time of a transaction from its first statement to the end of the commit
  /// @param maxCommit the longest
  public record Counters(
      long commits,
      long entries,
      long failures,
      long lost,
      long damaged,
      Duration meanCommit,
      Duration maxCommit) {
    /// Works per transaction.
    public double meanGroup() {
      return commits == 0 ? 0 : (double) entries / commits;
    }
  }

  /// Whether all is well.
  public boolean ok() {
    return failingSince == null;
  }
}
