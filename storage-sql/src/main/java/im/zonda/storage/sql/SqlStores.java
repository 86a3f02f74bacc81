package im.zonda.storage.sql;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.metric.TimingCounts;
import im.zonda.size.SizeStore;
import im.zonda.storage.sql.account.AccountSql;
import im.zonda.storage.sql.account.HomeQuery;
import im.zonda.storage.sql.account.SqlAccounts;
import im.zonda.storage.sql.account.SqlAudit;
import im.zonda.storage.sql.account.SqlHistory;
import im.zonda.storage.sql.account.SqlKeyValues;
import im.zonda.storage.sql.account.SqlPubSub;
import im.zonda.storage.sql.account.SqlRemoteQueues;
import im.zonda.storage.sql.account.SqlRooms;
import im.zonda.storage.sql.account.SqlRosters;
import im.zonda.storage.sql.account.SqlUploads;
import im.zonda.storage.sql.archive.ArchiveIndex;
import im.zonda.storage.sql.archive.ArchiveIndexer;
import im.zonda.storage.sql.archive.IndexMarks;
import im.zonda.storage.sql.archive.OwnerErasure;
import im.zonda.storage.sql.archive.SqlArchive;
import im.zonda.storage.sql.archive.TextIndex;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.database.SqlFailures;
import im.zonda.storage.sql.journal.SqlJournal;
import im.zonda.storage.sql.journal.SqlTraces;
import im.zonda.storage.sql.log.GroupCommit;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.SqlMessageLog;
import im.zonda.storage.sql.log.StoreHealth;
import im.zonda.storage.sql.log.StoredEntries;
import im.zonda.storage.sql.log.WriteQueue;
import im.zonda.storage.sql.log.Writer;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.storage.sql.log.WriterMetrics;
import im.zonda.storage.sql.server.NodeProcess;
import im.zonda.storage.sql.server.SqlClusterRows;
import im.zonda.storage.sql.size.SqlSizes;
import im.zonda.storage.sql.sqlite.SqliteDialect;
import im.zonda.store.AccountStore;
import im.zonda.store.AuditStore;
import im.zonda.store.ClusterLog;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RemoteQueueStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import im.zonda.trace.TraceStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The stores of a server in one database.
public final class SqlStores implements Stores {
  private static final Logger log = LoggerFactory.getLogger(SqlStores.class);

  /// How often a node tries to open the database, and for how long it begins another attempt.
  private static final int OPENINGS = 5;

  private static final Duration OPENING = Duration.ofSeconds(5);

  private static final String INDEXED_TO = "select indexed_to from archive_mark";
  private static final String TEXT_TO = "select text_to from archive_mark";
  private static final String REMOVED_OWNERS = "select count(*) from removed_owner";

  private final Dialect dialect;
  private final WriterMetrics metrics;
  private final QueryExecutor queries;
  private final Thread writerThread;
  private final Writer writer;
  private final AccountSql sql;
  private final SqlAccounts accounts;
  private final SqlRosters rosters;
  private final SqlRooms rooms;
  private final SqlPubSub pubSub;
  private final SqlUploads uploads;
  private final SqlAudit audit;
  private final SqlJournal journal;
  private final SqlTraces traces;
  private final SqlHistory history;
  private final SqlRemoteQueues remoteQueues;
  private final SqlMessageLog messages;
  private final SqlArchive archive;
  private final ArchiveIndexer indexer;
  private final OwnerErasure erasure;
  private final ConcurrentMap<String, KeyValueStore> keyValues = new ConcurrentHashMap<>();

  private SqlStores(
      Dialect dialect,
      Writer writer,
      WriterConnection connection,
      ArchiveIndexer indexer,
      Storage settings,
      InstantSource time) {
    this.dialect = dialect;
    this.writer = writer;
    this.indexer = indexer;
    erasure = new OwnerErasure(indexer);
    metrics = new WriterMetrics(time);
    queries = new QueryExecutor(dialect);
    sql = AccountSql.of(dialect.syntax());
    accounts = new SqlAccounts(writer, queries, erasure, sql);
    rosters = new SqlRosters(writer, queries, sql);
    rooms = new SqlRooms(writer, queries, erasure, sql);
    pubSub = new SqlPubSub(writer, queries, sql, time);
    uploads = new SqlUploads(writer, queries);
    audit = new SqlAudit(writer, queries);
    journal = new SqlJournal(writer, queries);
    traces = new SqlTraces(writer, queries);
    history = new SqlHistory(writer, queries);
    remoteQueues = new SqlRemoteQueues(writer, queries, sql, time);
    GroupCommit commits =
        new GroupCommit(
            writer.queue(),
            connection,
            dialect,
            metrics,
            settings.commitEntries(),
            settings.commitDelayMillis());
    StoredEntries rows = new StoredEntries(metrics);
    messages = new SqlMessageLog(writer, commits, queries, rows);
    archive = new SqlArchive(writer, messages, queries, rows, indexer, dialect);
    writerThread = Thread.ofPlatform().name("zonda-store-writer").daemon().unstarted(commits);
  }

  /// Opens the stores in a folder; creates them if there are none.
  ///
  /// @param data the data folder
  /// @param settings how commits are grouped
  /// @param limits bounds what may wait for a commit
  /// @param time the clock
  /// @throws im.zonda.store.StoreException `DAMAGED` if the file is damaged, of another
  ///   application, or of a newer version; it is not changed. `UNAVAILABLE` if it cannot be read or
  ///   written
  public static SqlStores open(Path data, Storage settings, Limits limits, InstantSource time) {
    return open(data, settings, limits, time, UnaryOperator.identity());
  }

  /// Opens a file without waiting for the disk after a commit, for tests that start many servers.
  /// No setting leads here.
  ///
  /// @param file the database
  public static SqlStores openWithoutSync(
      Path file, Storage settings, Limits limits, InstantSource time) {
    return open(SqliteDialect.withoutSync(file), settings, limits, time);
  }

  /// The row of a cluster in the database of a server that has opened its stores before.
  ///
  /// @param settings a database on a server, not a file
  /// @param cluster the name of the cluster
  public static SqlClusterRows clusterRows(Storage settings, String cluster) {
    return Databases.clusterRows(settings, cluster);
  }

  /// As above, with a wrapper around each connection, for tests that inject faults or count
  /// statements. No setting leads here.
  public static SqlStores open(
      Path data,
      Storage settings,
      Limits limits,
      InstantSource time,
      UnaryOperator<Connection> wrapper) {
    return open(Databases.dialect(data, settings, wrapper), settings, limits, time);
  }

  /// Opens the stores as a node of a cluster, of which several use the database at the same time.
  /// Each owner must have its home on one node at a time; when it is loaded on another one, that
  /// one calls [ClusterLog#takeOver] after the former has flushed its log. The first node that
  /// opens the database indexes the whole archive before it returns.
  ///
  /// @param node this process as a node; each name has the same number for ever
  /// @throws im.zonda.store.StoreException also if a server without a cluster or another process
  ///   with that name uses the database, or if what must be equal at all nodes is not
  /// @throws IllegalArgumentException if the database is a file
  public static SqlStores openNode(
      Path data, Storage settings, Limits limits, InstantSource time, NodeProcess node) {
    return openNode(data, settings, limits, time, node, UnaryOperator.identity());
  }

  /// As above, with a wrapper around each connection, for tests that inject faults.
  static SqlStores openNode(
      Path data,
      Storage settings,
      Limits limits,
      InstantSource time,
      NodeProcess node,
      UnaryOperator<Connection> wrapper) {
    long begin = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      try {
        return open(Databases.dialect(data, settings, wrapper, node), settings, limits, time);
      } catch (StoreException e) {
        // The others may have ended the session for that of the node's process before, which has
        // just died. A database that does not answer is not waited for again.
        boolean late = System.nanoTime() - begin > OPENING.toNanos();
        if (attempt == OPENINGS || late || !SqlFailures.isEndedSession(e)) {
          throw e;
        }
        log.atInfo().addKeyValue("reason", e.getMessage()).log("store_opened_again");
      }
    }
  }

  private static SqlStores open(
      Dialect dialect, Storage settings, Limits limits, InstantSource time) {
    long start = System.nanoTime();
    SqlStores stores;
    boolean unfinished;
    try {
      Connection connection = dialect.open(new UpgradeLog(dialect));
      try {
        boolean isNode = dialect.node() != Dialect.NO_NODE;
        IndexMarks.prepare(connection, dialect.syntax(), isNode, settings.fullText());
        IdClock ids = StoredNumbers.ids(connection, dialect, time);
        unfinished = StoredNumbers.one(connection, REMOVED_OWNERS) > 0;
        dialect.opened(connection);
        WriteQueue queue =
            new WriteQueue(
                WriteQueue.limitFor(limits.logQueueBytes(), Runtime.getRuntime().maxMemory()));
        ArchiveIndexer indexer =
            new ArchiveIndexer(
                queue,
                dialect.syntax(),
                new ArchiveIndex(StoredNumbers.one(connection, INDEXED_TO)),
                settings.fullText() ? new TextIndex(StoredNumbers.one(connection, TEXT_TO)) : null);
        stores =
            new SqlStores(
                dialect,
                new Writer(queue, ids),
                new WriterConnection(connection, dialect, ids, indexer),
                indexer,
                settings,
                time);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
    stores.start(unfinished);
    log.atInfo()
        .addKeyValue("database", dialect.name())
        .addKeyValue("product", dialect.product())
        .addKeyValue("millis", (System.nanoTime() - start) / 1_000_000)
        .log("store_opened");
    return stores;
  }

  private void start(boolean unfinished) {
    writerThread.start();
    indexer.start();
    if (unfinished) {
      erasure.start();
    }
    queries.warmUp(handle ->
        handle
            .createQuery("select id from account where id = :id")
            .bind("id", 0)
            .map((row, context) -> row.getLong(1))
            .list());
  }

  @Override
  public AccountStore accounts() {
    return accounts;
  }

  @Override
  public List<Jid> createAccounts(List<FilledAccount> wanted) {
    return accounts.createFilled(wanted);
  }

  @Override
  public Removal removeAccounts(Set<Jid> removed, Set<Jid> next, Set<Jid> reserve) {
    return accounts.removeAll(removed, next, reserve);
  }

  @Override
  public RoomStore rooms() {
    return rooms;
  }

  @Override
  public PubSubStore pubSub() {
    return pubSub;
  }

  @Override
  public UploadStore uploads() {
    return uploads;
  }

  @Override
  public AuditStore audit() {
    return audit;
  }

  @Override
  public JournalStore journal() {
    return journal;
  }

  @Override
  public TraceStore traces() {
    return traces;
  }

  @Override
  public SizeStore sizes() {
    return new SqlSizes(queries);
  }

  @Override
  public HistoryStore history() {
    return history;
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    return remoteQueues;
  }

  @Override
  public RosterStore rosters() {
    return rosters;
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return keyValues.computeIfAbsent(name, key -> new SqlKeyValues(writer, queries, sql, key));
  }

  @Override
  public MessageLog messages() {
    return messages;
  }

  @Override
  public ClusterLog clusterLog() {
    return messages;
  }

  @Override
  public MessageArchive archive() {
    return archive;
  }

  @Override
  public Map<String, Map<String, byte[]>> readValues(Jid owner, Set<String> names) {
    return queries.query(handle -> HomeQuery.readValues(handle, owner, names));
  }

  @Override
  public @Nullable HomeData readHome(Jid account, Set<String> names, long newest) {
    boolean complete = messages.isComplete(account);
    HomeQuery.Found found =
        queries.<HomeQuery.@Nullable Found>query(
            handle -> HomeQuery.readHome(handle, account, names));
    if (found == null) {
      return null;
    }
    long last = messages.takeOver(account, newest, found.last(), found.roster().version());
    int waiting = complete ? found.waiting() : messages.waitingCount(account);
    return new HomeData(new HomeStart(last, waiting), found.roster(), found.values());
  }

  /// The secret of the cluster that this process is a node of, in hexadecimal digits.
  ///
  /// @throws IllegalStateException without a cluster
  public String clusterSecret() {
    String secret = dialect.clusterSecret();
    if (secret == null) {
      throw new IllegalStateException("no node of a cluster");
    }
    return secret;
  }

  /// This process is a member of its cluster from now on. Pending writes of a former, fenced
  /// incarnation are discarded. Blocks.
  ///
  /// @param incarnation the number of the member
  /// @return false if this incarnation is fenced, too
  /// @throws im.zonda.store.StoreException if the database cannot be reached
  public boolean join(long incarnation) {
    try {
      messages.flush();
    } catch (StoreException e) {
      if (!dialect.isFenced()) {
        throw e;
      }
    }
    dialect.admit(incarnation);
    try {
      return writer.change(connection -> connection.admit(incarnation));
    } catch (StoreException e) {
      if (!dialect.isFenced()) {
        throw e;
      }
      return false;
    }
  }

  /// This process leaves its cluster in order: others have its homes. What it has written is
  /// durable when the call returns, and its session at the database is not ended. Blocks.
  ///
  /// @throws im.zonda.store.StoreException if the database cannot be reached
  public void leave() {
    messages.flush();
    writer.change(connection -> {
      connection.leave();
      return true;
    });
  }

  /// The current state of the stores.
  public StoreHealth health() {
    return metrics.health(dialect.name(), dialect.product(), writer.queue().bytes());
  }

  /// How long transactions of the log took, from their first statement to the end of the commit.
  public TimingCounts commitTimes() {
    return metrics.commitTimes().counts();
  }

  /// How far the clock of the database is ahead of the one given here, as exactly as the answer
  /// lets it be known; null for a file, which has none. Blocks.
  ///
  /// @throws im.zonda.store.StoreException if the database does not answer
  public @Nullable Duration clockDifference(InstantSource here) {
    String query = dialect.syntax().clock();
    if (query.isEmpty()) {
      return null;
    }
    return queries.query(handle -> {
      Instant before = here.instant();
      long there = handle.createQuery(query).mapTo(Long.class).one();
      Duration took = Duration.between(before, here.instant());
      Instant middle = before.plus(took.dividedBy(2));
      return Duration.between(middle, Instant.EPOCH.plus(there, ChronoUnit.MICROS));
    });
  }

  /// Checks the structure of the whole database. Takes seconds for each gigabyte.
  ///
  /// @throws im.zonda.store.StoreException `DAMAGED` with the first defect found
  public void check() {
    queries.query(handle -> {
      try {
        dialect.check(handle.getConnection());
        return List.of();
      } catch (SQLException e) {
        throw dialect.exception(e);
      }
    });
  }

  @Override
  public void close() {
    // Queries first: the writer's connection must be the last one, because it checkpoints.
    queries.close();
    writer.queue().close();
    boolean interrupted = false;
    while (true) {
      try {
        writerThread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true; // accepted entries must be durable first
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
