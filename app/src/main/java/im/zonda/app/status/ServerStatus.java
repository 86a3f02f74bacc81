package im.zonda.app.status;

import im.zonda.acme.CertificateRenewal;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.storage.cache.CacheStatistics;
import im.zonda.storage.sql.log.StoreHealth;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The status of a running server at one moment: the result of `server.status`.
public record ServerStatus(
    @Field("the version of the program") String version,
    @Field("when it started") Instant started,
    @Field("how long it has been running") long uptimeSeconds,
    @Field("sessions by kind") Sessions sessions,
    @Field("loaded homes") Homes homes,
    @Field("the node of a cluster that the server is") @Nullable Cluster cluster,
    @Field("the hosts") List<Host> hosts,
    @Field("where it listens") List<Port> listeners,
    @Field("the memory of the heap") Memory memory,
    @Field("the disk of the data folder, if it can be read") @Nullable Disk disk,
    @Field("certificates of an authority (ACME)") List<Certificate> certificates,
    @Field("the log of messages") Log log,
    @Field("the database") Database database,
    @Field("the caches") List<Cache> caches) {
  private static final int REASON = 10_000;

  /// A node of a cluster.
  public record Cluster(
      @Field("name and incarnation") String node,
      @Field("member, draining, drained, or waiting while nothing is decided") String state,
      @Field("the version of the placement in which it acts; empty before the first")
          String placement,
      @Field("placements since the start") long placements,
      @Field("how many members there are") int members,
      @Field("segments whose homes run here") int segments,
      @Field("segments on their way to or from this node") int movingSegments,
      @Field("stanzas that homes on other nodes have not handled") int forwardedStanzas,
      @Field("values that other nodes have not confirmed") long unconfirmedValues) {}

  /// Sessions by kind.
  public record Sessions(
      @Field("open connections, also those that have not authenticated") long connections,
      @Field("sessions with a stream") int online,
      @Field("sessions whose stream is lost and that can be resumed") int detached) {}

  /// Loaded homes.
  public record Homes(
      @Field("of accounts") int accounts, @Field("of services, such as rooms") int services) {}

  /// A host.
  public record Host(
      @Field("the domain") String host,
      @Field("accounts with sessions at this process") int online,
      @Field("until when its certificate is valid") @Nullable Instant certificateEnds) {}

  /// An address that the server listens on.
  public record Port(
      @Field("the key of the configuration") String key, @Field("the address") String address) {}

  /// The memory of the heap.
  public record Memory(
      @Field(value = "what is taken, garbage included", form = Form.BYTES) long heapUsedBytes,
      @Field(value = "how much may be taken", form = Form.BYTES) long heapMaxBytes) {}

  /// Disk space.
  public record Disk(
      @Field(value = "what the server may still take", form = Form.BYTES) long freeBytes,
      @Field(value = "the size", form = Form.BYTES) long bytes) {}

  /// A certificate of an authority (ACME).
  public record Certificate(
      @Field("the host") String host,
      @Field("until when it is valid") @Nullable Instant ends,
      @Field("when the next attempt to get one is made") Instant nextAttempt,
      @Field("attempts that have failed since the last one that has not") int failures,
      @Field(value = "why", form = Form.LINES) @Nullable String reason) {
    /// The certificate in that state.
    public static Certificate of(CertificateRenewal.State state) {
      return new Certificate(
          state.host(), state.ends(), state.next(), state.failures(), printable(state.failure()));
    }
  }

  /// The log of messages.
  public record Log(
      @Field(value = "what waits for a commit", form = Form.BYTES) long queuedBytes,
      @Field("commits a second, over the last 10 to 20 seconds") double commitsPerSecond,
      @Field("when the last one was") @Nullable Instant lastCommit,
      @Field("commits since the start") long commits,
      @Field("those that failed") long failures) {
    /// The log with that health.
    public static Log of(StoreHealth health, double commitsPerSecond) {
      return new Log(
          health.queuedBytes(),
          commitsPerSecond,
          health.lastCommit(),
          health.counters().commits(),
          health.counters().failures());
    }
  }

  /// The database.
  public record Database(
      @Field("the product") String product,
      @Field("its name") String name,
      @Field("whether it takes what is stored") boolean storing,
      @Field("since when it does not") @Nullable Instant failingSince,
      @Field("what kind of failure it is") @Nullable String category,
      @Field(value = "what the failure is", form = Form.LINES) @Nullable String reason) {
    /// The database with that health.
    public static Database of(StoreHealth health) {
      return new Database(
          health.product(),
          health.database(),
          health.ok(),
          health.failingSince(),
          health.category() == null ? null : health.category().name(),
          printable(health.reason()));
    }
  }

  /// A cache.
  public record Cache(
      @Field(Field.NODE) @Nullable String node,
      @Field("its name") String name,
      @Field("how many entries it has") long entries,
      @Field(value = "their estimated size", form = Form.BYTES) long bytes,
      @Field(value = "the most of that", form = Form.BYTES) long bound,
      @Field("look-ups that it answered") long hits,
      @Field("look-ups that read the database") long misses,
      @Field("the time of that, in microseconds") long loadMicros,
      @Field("entries removed to keep the bound") long evictions) {
    /// The cache with those statistics.
    public static Cache of(CacheStatistics cache) {
      return new Cache(
          null,
          cache.name(),
          cache.entries(),
          cache.bytes(),
          cache.bound(),
          cache.hits(),
          cache.misses(),
          cache.loadTime().toNanos() / 1_000,
          cache.evictions());
    }
  }

  /// Copies the lists.
  public ServerStatus {
    hosts = List.copyOf(hosts);
    listeners = List.copyOf(listeners);
    certificates = List.copyOf(certificates);
    caches = List.copyOf(caches);
  }

  /// A text of a database or another server, without what controls terminals.
  private static @Nullable String printable(@Nullable String text) {
    if (text == null) {
      return null;
    }
    StringBuilder kept = new StringBuilder();
    text.codePoints()
        .filter(c -> c == '\n' || !Character.isISOControl(c))
        .limit(REASON / 2)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }
}
