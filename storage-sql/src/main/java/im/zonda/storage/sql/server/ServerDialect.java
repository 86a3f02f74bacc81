package im.zonda.storage.sql.server;

import im.zonda.config.Storage;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.database.Fault;
import im.zonda.storage.sql.database.Schema;
import im.zonda.storage.sql.database.SqlFailures;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A database on a server.
///
/// The session that writes holds a lock ([DatabaseLock]), so that only one server uses the
/// database, or only one process with the name of each node. After a failure its connection is
/// replaced; the new session gets the lock when the old one has ended with all that it was doing.
/// So a transaction whose outcome was unknown has its outcome then.
public final class ServerDialect implements Dialect {
  /// The longest wait for an answer of the database server, in milliseconds. After it the
  /// connection is closed.
  public static final int CALL_MILLIS = 10_000;

  private static final int LONG_CALL_MILLIS = 3_600_000;

  private static final Logger log = LoggerFactory.getLogger(ServerDialect.class);
  private static final String LOCKED =
      "is used by another server; stop that one first, or use another database";

  private static final String UNTRUSTED =
      "has a certificate that is not valid or not issued by a known authority; storage.tls-ca names"
          + " the authorities";

  private final ServerKind kind;
  private final DatabaseAddress address;
  private final Storage settings;
  private final UnaryOperator<Connection> wrapper;
  private final SchemaTable table;
  private final @Nullable NodeProcess node;
  private volatile String version = "";

  // Confined to the writer thread after the start.
  private final DatabaseLock lock;
  private int number = NO_NODE;
  private long generation;
  private volatile boolean taken;

  /// The member that this process is; 0 before it is one.
  private volatile long incarnation;

  private volatile boolean fenced;
  private volatile @Nullable String clusterSecret;

  /// @param wrapper wraps each connection; tests inject faults with it
  /// @param node this process as a node of its cluster, or null without a cluster
  public ServerDialect(
      ServerKind kind,
      DatabaseAddress address,
      Storage settings,
      UnaryOperator<Connection> wrapper,
      @Nullable NodeProcess node) {
    this.settings = settings;
    this.kind = kind;
    this.address = address;
    this.wrapper = wrapper;
    this.node = node;
    this.table = new SchemaTable(kind);
    this.lock = new DatabaseLock(kind, node != null);
  }

  @Override
  public String name() {
    return address.toString();
  }

  @Override
  public String product() {
    return version;
  }

  @Override
  public int readers() {
    return settings.connections();
  }

  /// As long as one answer may take, so that those who wait for a connection of the pool are not
  /// answered later and later while the server hangs.
  @Override
  public int queryMillis() {
    return CALL_MILLIS;
  }

  @Override
  public SqlSyntax syntax() {
    return kind.syntax();
  }

  @Override
  public Connection take() throws SQLException {
    Path authorities = address.authorities();
    if (authorities != null && !Files.isReadable(authorities)) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE,
          name() + " is not used: storage.tls-ca, " + authorities + ", cannot be read",
          null);
    }
    Connection connection = wrapper.apply(kind.connect(address));
    try {
      readVersion(connection);
      String reason = kind.unusable(connection);
      if (reason != null) {
        throw unusable(reason);
      }
      prepareWriter(connection);
      if (!lock.take(connection)) {
        throw unavailable(LOCKED);
      }
      String defect = table.check(connection);
      if (defect != null) {
        throw unusable(defect);
      }
      String risks = risks(connection);
      if (!risks.isEmpty()) {
        log.atWarn()
            .addKeyValue("database", name())
            .addKeyValue("settings", risks)
            .log("database_may_lose_commits");
      }
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public String risks(Connection connection) throws SQLException {
    return kind.risks(connection);
  }

  private void prepareWriter(Connection connection) throws SQLException {
    kind.prepareWriter(connection);
    if (node != null) {
      kind.prepareNode(connection);
    }
  }

  private void readVersion(Connection connection) throws SQLException {
    if (version.isEmpty()) {
      DatabaseMetaData product = connection.getMetaData();
      version = product.getDatabaseProductName() + " " + product.getDatabaseProductVersion();
    }
  }

  /// Creates and upgrades the tables. That may take long, so the waits have no limit. Nodes of the
  /// version before go on meanwhile, if the migrations let them.
  @Override
  public void upgrade(Connection connection, Schema.Progress progress) throws SQLException {
    boolean incompatible = table.version(connection) < schema().oldest();
    if (incompatible && kind.hasNodes(connection)) {
      throw unavailable("must be upgraded, but nodes of a cluster use it; stop all of them first");
    }
    connection.setNetworkTimeout(Runnable::run, 0);
    table.create(connection);
    schema().migrate(connection, this, progress);
    connection.setNetworkTimeout(Runnable::run, CALL_MILLIS);
    if (node != null) {
      number = takeNumber(connection, node.name());
      clusterSecret = agree(connection, node);
    }
    table.raiseGeneration(connection);
    if (node == null || incompatible) {
      // A node that has lost its connection must not continue after this.
      NodeTable.raiseGenerations(connection);
    } else {
      NodeTable.raiseGeneration(connection, number);
    }
    generation = generation(connection);
  }

  /// Takes the lock of the node and returns its number.
  private int takeNumber(Connection connection, String name) throws SQLException {
    int found = NodeTable.number(connection, name);
    if (found == NodeTable.NO_FREE_NUMBER) {
      throw unavailable(
          "has had " + DatabaseLock.NODES + " nodes, the most that a cluster can ever have");
    }
    if (!lock.takeNode(connection, found)) {
      throw unavailable(
          "is used by another process with the node name " + name + "; stop that one first");
    }
    return found;
  }

  /// Compares what must not differ between nodes with what the others have, and returns the secret
  /// of the cluster. The index of words would have gaps if a node did not write to it, and no
  /// client could use the ids and tokens of a node with another secret at the others.
  private String agree(Connection connection, NodeProcess process) throws SQLException {
    String own = String.valueOf(settings.fullText());
    String theirs = SettingTable.read(connection, SettingTable.FULL_TEXT);
    if (!own.equals(theirs)) {
      if (theirs != null && isUsedByOthers(connection)) {
        throw unavailable(
            "is used by other nodes with storage.full-text = "
                + theirs
                + "; set it to the same here, or stop all nodes to change it");
      }
      SettingTable.write(connection, SettingTable.FULL_TEXT, own);
    }
    String secret = SettingTable.read(connection, SettingTable.SECRET);
    if (secret == null) {
      SettingTable.write(connection, SettingTable.SECRET, process.secret());
      return process.secret();
    }
    if (process.keepsSecret() && !secret.equals(process.secret())) {
      throw unavailable(
          "has another secret than the file secret in the data folder of this node; delete that"
              + " file, and the node takes the secret of its cluster");
    }
    return secret;
  }

  private boolean isUsedByOthers(Connection connection) throws SQLException {
    for (int other : NodeTable.numbers(connection)) {
      if (other != number && kind.lockHolder(connection, other) >= 0) {
        return true;
      }
    }
    return false;
  }

  private long generation(Connection connection) throws SQLException {
    return number == NO_NODE
        ? table.generation(connection)
        : NodeTable.generation(connection, number);
  }

  @Override
  public int node() {
    return number;
  }

  @Override
  public @Nullable String clusterSecret() {
    return clusterSecret;
  }

  @Override
  public void opened(Connection connection) throws SQLException {
    if (number != NO_NODE) {
      lock.release(connection);
    }
  }

  @Override
  public Schema schema() {
    return kind.schema();
  }

  @Override
  public boolean exists() {
    return true;
  }

  @Override
  public Set<String> tables(Connection connection) throws SQLException {
    return table.tables(connection);
  }

  @Override
  public long size(Connection connection) throws SQLException {
    return table.size(connection);
  }

  @Override
  public boolean isTaken(Connection connection) throws SQLException {
    return lock.isTaken(connection);
  }

  @Override
  public void allowLongCalls(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, LONG_CALL_MILLIS);
    kind.allowLongQueries(connection);
  }

  /// Takes the lock of this process again.
  private boolean lockAgain(Connection connection) throws SQLException {
    if (!lock.take(connection)) {
      return false;
    }
    if (number == NO_NODE) {
      return true;
    }
    boolean locked = lock.takeNode(connection, number);
    lock.release(connection);
    return locked;
  }

  private StoreException unusable(String reason) {
    return new StoreException(
        StoreException.Category.DAMAGED, name() + " " + reason + ". It was not changed.", null);
  }

  private StoreException unavailable(String reason) {
    return new StoreException(
        StoreException.Category.UNAVAILABLE, name() + " " + reason + ". It was not changed.", null);
  }

  @Override
  public Connection openReader() throws SQLException {
    Connection connection = wrapper.apply(kind.connect(address));
    try {
      readVersion(connection);
      kind.prepareReader(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /// A virtual thread: the drivers do not pin it.
  @Override
  public Thread newReaderThread(String name, Runnable task) {
    return Thread.ofVirtual().name(name).unstarted(task);
  }

  @Override
  public Connection recover(Connection failed) throws SQLException {
    if (fenced) {
      throw evicted(); // at once: much may wait to be written, and homes to be unloaded
    }
    try {
      failed.rollback();
      return failed;
    } catch (SQLException e) {
      log.atDebug().setCause(e).log("database_connection_lost");
    }
    closeQuietly(failed);
    if (taken) {
      throw stopped();
    }
    Connection connection = wrapper.apply(kind.connect(address));
    try {
      prepareWriter(connection);
      if (!lockAgain(connection)) {
        throw new SQLException(LOCKED);
      }
      fenced = number != NO_NODE && NodeTable.isFenced(connection, number, incarnation);
      if (fenced) {
        throw evicted();
      }
      if (generation(connection) != generation) {
        // What this server has in memory may be out of date.
        taken = true;
        throw stopped();
      }
      return connection;
    } catch (SQLException | RuntimeException e) {
      closeQuietly(connection);
      throw e;
    }
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      log.atDebug().setCause(e).log("database_connection_not_closed");
    }
  }

  @Override
  public void admit(long member) {
    incarnation = member;
    fenced = false;
  }

  @Override
  public boolean isFenced() {
    return fenced;
  }

  private static SQLException evicted() {
    return new SQLException("this node was evicted from the cluster");
  }

  @Override
  public SQLException stopped() {
    return new SQLException(
        "another server has used the database meanwhile; nothing is written until this one is"
            + " started again");
  }

  @Override
  public void beforeClose(Connection writer) {
    // The session releases the lock.
  }

  /// Reads nothing: the database server checks its own files.
  @Override
  public void check(Connection connection) throws SQLException {
    String defect = table.check(connection);
    if (defect != null) {
      throw unusable(defect);
    }
  }

  @Override
  public int schemaVersion(Connection connection) throws SQLException {
    return table.version(connection);
  }

  @Override
  public void recordSchemaVersion(Connection connection, int newVersion, int oldest)
      throws SQLException {
    table.record(connection, newVersion, oldest);
  }

  @Override
  public Fault fault(Throwable failure) {
    SQLException sql = SqlFailures.find(failure);
    if (sql == null) {
      return Fault.OPERATION;
    }
    return switch (kind.failure(sql)) {
      case STATEMENT -> Fault.OPERATION;
      case FULL, LOGIN, NO_DATABASE, PRIVILEGE, AWAY -> Fault.DATABASE;
      case OTHER -> Fault.UNKNOWN;
    };
  }

  /// Any failure that is not the operation's: the answer to a commit may be what was lost.
  @Override
  public boolean isCommitUnknown(Throwable failure) {
    return fault(failure) != Fault.OPERATION;
  }

  @Override
  public boolean isConflict(Throwable failure) {
    SQLException sql = SqlFailures.find(failure);
    return number != NO_NODE && sql != null && kind.isConflict(sql);
  }

  /// Nothing is written after another server has used the database. A server whose flush fails
  /// stops by itself.
  @Override
  public boolean isFinal(Throwable failure) {
    return taken;
  }

  @Override
  public StoreException exception(Throwable failure) {
    if (failure instanceof StoreException already) {
      return already;
    }
    SQLException sql = SqlFailures.find(failure);
    ServerKind.Failure which = sql == null ? ServerKind.Failure.OTHER : kind.failure(sql);
    String text = sql == null ? failure.toString() : String.valueOf(sql.getMessage());
    String first = text.lines().findFirst().orElse("");
    return switch (which) {
      case FULL -> exception(StoreException.Category.FULL, first, failure);
      case LOGIN ->
          exception(
              StoreException.Category.UNAVAILABLE,
              "does not accept user " + address.user() + " with this password",
              failure);
      case NO_DATABASE ->
          exception(
              StoreException.Category.UNAVAILABLE,
              "does not exist, or user " + address.user() + " may not use it; create it first",
              failure);
      case PRIVILEGE ->
          exception(
              StoreException.Category.UNAVAILABLE,
              "does not allow user " + address.user() + " what it needs (" + first + ")",
              failure);
      case STATEMENT, AWAY, OTHER ->
          exception(
              StoreException.Category.UNAVAILABLE,
              CertificateFailures.isUntrusted(failure) ? UNTRUSTED : first,
              failure);
    };
  }

  private StoreException exception(
      StoreException.Category category, String text, Throwable failure) {
    return new StoreException(category, name() + " " + text, failure);
  }
}
