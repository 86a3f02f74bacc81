package im.zonda.app.status;

import im.zonda.acme.CertificateRenewal;
import im.zonda.storage.cache.CacheStatistics;
import im.zonda.storage.sql.log.StoreHealth;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The status of a running server at one moment.
///
/// @param version the version of the program
/// @param started when it started
/// @param now the time of this status
/// @param sessions how many sessions there are
/// @param homes how many homes are loaded
/// @param health the database, and what it does
/// @param commitsPerSecond commits a second, over the last 10 to 20 seconds
/// @param caches the caches
/// @param cluster the node of a cluster that the server is; null if it is none
/// @param certificates those of a certificate authority (ACME)
/// @param service what the server has and uses
public record ServerStatus(
    String version,
    Instant started,
    Instant now,
    Sessions sessions,
    Homes homes,
    StoreHealth health,
    double commitsPerSecond,
    List<CacheStatistics> caches,
    @Nullable Cluster cluster,
    List<CertificateRenewal.State> certificates,
    Service service) {
  /// A node of a cluster.
  ///
  /// @param node the name and incarnation of the node
  /// @param placement the version of the placement in which it acts; empty before the first
  /// @param members the number of members
  /// @param segments the segments whose homes run here
  /// @param moving segments that are on their way to or from this node
  /// @param forwarded stanzas of this node that homes on other nodes have not handled
  /// @param waiting the values that other nodes have not confirmed
  /// @param placements the placements since the start
  /// @param state `member`, `draining`, `drained`, or `waiting` while nothing is decided
  public record Cluster(
      String node,
      String placement,
      int members,
      int segments,
      int moving,
      int forwarded,
      long waiting,
      long placements,
      String state) {}

  /// Sessions by kind.
  ///
  /// @param connections open connections, also those that have not authenticated
  /// @param online sessions with a stream
  /// @param detached sessions whose stream is lost and that can be resumed
  public record Sessions(long connections, int online, int detached) {}

  /// What the server has and uses.
  ///
  /// @param hosts the hosts
  /// @param ports where it listens
  /// @param disk the disk of the data folder; null if it cannot be read
  public record Service(List<Host> hosts, Memory memory, List<Port> ports, @Nullable Disk disk) {
    /// Copies the lists.
    public Service {
      hosts = List.copyOf(hosts);
      ports = List.copyOf(ports);
    }
  }

  /// A host.
  ///
  /// @param online accounts with a connection to this process
  /// @param certificateEnds until when its certificate is valid; null if none names it
  public record Host(String domain, int online, @Nullable Instant certificateEnds) {}

  /// The memory of the heap, in bytes.
  ///
  /// @param used what is taken, garbage included
  /// @param most how much may be taken
  public record Memory(long used, long most) {}

  /// An address that the server listens on.
  ///
  /// @param key the key of the configuration
  public record Port(String key, String address) {}

  /// Disk space in bytes.
  ///
  /// @param free what the server may still take
  public record Disk(long free, long size) {}

  /// Loaded homes.
  ///
  /// @param accounts of accounts
  /// @param services of services, such as rooms
  public record Homes(int accounts, int services) {}

  /// Copies the lists.
  public ServerStatus {
    caches = List.copyOf(caches);
    certificates = List.copyOf(certificates);
  }
}
