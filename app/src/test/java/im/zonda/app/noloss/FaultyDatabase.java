package im.zonda.app.noloss;

import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.relay.RelayedConnection;
import im.zonda.testkit.relay.TcpRelay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A database server that Zonda reaches through a relay, and its faults. Used by one thread.
public final class FaultyDatabase implements AutoCloseable {
  private static final String NAME = "zonda";
  private static final long COMMIT_SECONDS = 20;

  private final DatabaseServer server;
  private final LostAnswers answers;
  private final TcpRelay relay;
  private boolean stalled;
  private @Nullable Connection locking;

  /// @param server a server that is used by no one else; it is closed with this
  FaultyDatabase(DatabaseServer server, LostAnswers answers) throws IOException {
    this.server = server;
    this.answers = answers;
    server.createDatabase(NAME);
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    relay = new TcpRelay(() -> address, this::forwarding);
  }

  private void forwarding(RelayedConnection connection, boolean up, byte[] bytes, int count) {
    synchronized (this) {
      if (stalled) {
        connection.freeze();
      }
    }
    answers.forwarding(connection, up, bytes, count);
  }

  /// The lines for `[storage]` in the configuration.
  public String settings() {
    String url = server.url(NAME);
    return """
    url = "%s://127.0.0.1:%d/%s"
    user = "%s"
    password = "%s"
    """
        .formatted(
            url.substring(0, url.indexOf(':')),
            relay.address().getPort(),
            NAME,
            DatabaseServer.USER,
            DatabaseServer.PASSWORD.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  /// Begins a fault.
  ///
  /// @return false if it could not be: there was no commit
  public boolean begin(DatabaseFault fault) throws InterruptedException, SQLException {
    switch (fault) {
      case STOP -> server.stop();
      case KILL -> server.kill();
      case SUSPEND -> server.suspend();
      case CUT -> relay.connections().forEach(RelayedConnection::cut);
      case STALL -> {
        synchronized (this) {
          stalled = true;
          relay.connections().forEach(RelayedConnection::freeze);
        }
      }
      case LOSE_ANSWER -> {
        return answers.spring(RelayedConnection::cut, COMMIT_SECONDS);
      }
      case STALL_ANSWER -> {
        return answers.spring(RelayedConnection::freeze, COMMIT_SECONDS);
      }
      case LOCK -> lock();
    }
    return true;
  }

  /// Ends a fault; when it returns, the database accepts connections.
  ///
  /// @param cut whether stalled connections are cut, or go on
  public void end(DatabaseFault fault, boolean cut) throws SQLException {
    switch (fault) {
      case STOP, KILL -> server.startAgain();
      case SUSPEND -> server.resume();
      case CUT, LOSE_ANSWER -> {}
      case STALL -> {
        synchronized (this) {
          stalled = false;
          relay.connections().forEach(cut ? RelayedConnection::cut : RelayedConnection::thaw);
        }
      }
      case STALL_ANSWER ->
          relay.connections().forEach(cut ? RelayedConnection::cut : RelayedConnection::thaw);
      case LOCK -> unlock();
    }
  }

  /// Locks what is read when someone logs in, but nothing that a message is written to.
  private void lock() throws SQLException {
    Connection connection = server.connect(NAME);
    locking = connection;
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String sql : lockingStatements()) {
        statement.execute(sql);
      }
    }
  }

  private List<String> lockingStatements() {
    return server.url(NAME).startsWith("mariadb")
        ? List.of("lock tables scram_keys write, roster_item write, key_value write")
        : List.of("lock table scram_keys, roster_item, key_value in access exclusive mode");
  }

  private void unlock() throws SQLException {
    Connection connection = locking;
    if (connection != null) {
      connection.rollback();
      connection.close();
      locking = null;
    }
  }

  @Override
  public void close() throws IOException {
    relay.close();
    server.close();
  }
}
