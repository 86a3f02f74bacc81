package im.zonda.testkit.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/// Attempts to connect to a server that is starting.
final class Attempts {
  private static final int MOST = 600;
  private static final long PAUSE_NANOS = 100_000_000;

  /// Opens a connection.
  interface Connecting {
    Connection connect() throws SQLException;
  }

  private Attempts() {}

  /// Returns when the server has accepted a connection.
  ///
  /// @param log what the server writes, for the error
  /// @throws IOException if its process has ended, or after a minute
  static void untilConnected(Connecting connecting, Process server, Path log) throws IOException {
    SQLException last = null;
    for (int attempt = 0; attempt < MOST && server.isAlive(); attempt++) {
      try {
        connecting.connect().close();
        return;
      } catch (SQLException e) {
        last = e;
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    String process = server.isAlive() ? "runs" : "has ended with " + server.exitValue();
    throw new IOException(
        "the database server does not start: it " + process + "\n" + Files.readString(log), last);
  }
}
