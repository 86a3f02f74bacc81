package im.zonda.app.status;

import im.zonda.storage.cache.CacheStatistics;
import im.zonda.storage.sql.log.StoreHealth;
import java.time.Instant;
import java.util.List;

/// What a running server does at one moment.
///
/// @param version the version of the program
/// @param started when it started
/// @param now the time of this status
/// @param sessions how many sessions there are
/// @param homes how many homes are loaded
/// @param health the database, and what it does
/// @param commitsPerSecond commits a second, over the last 10 to 20 seconds
/// @param caches the caches
public record ServerStatus(
    String version,
    Instant started,
    Instant now,
    Sessions sessions,
    Homes homes,
    StoreHealth health,
    double commitsPerSecond,
    List<CacheStatistics> caches) {
  /// Sessions by kind.
  ///
  /// @param connections open connections, also those that have not authenticated
  /// @param online sessions with a stream
  /// @param detached sessions whose stream is lost and that can be resumed
  public record Sessions(long connections, int online, int detached) {}

  /// Loaded homes.
  ///
  /// @param accounts of accounts
  /// @param services of services, such as rooms
  public record Homes(int accounts, int services) {}

  /// Copies the list.
  public ServerStatus {
    caches = List.copyOf(caches);
  }
}
