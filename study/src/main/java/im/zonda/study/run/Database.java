package im.zonda.study.run;

import im.zonda.testkit.database.PostgresqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/// Work of the database, of all its processes (Linux).
final class Database implements AutoCloseable {
  private static final int TICK_MILLIS = 10;

  private static final String SCANS =
      """
      select relname, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) from pg_stat_user_tables
      where coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0
      union all
      select 'transactions', xact_commit + xact_rollback from pg_stat_database
      where datname = current_database()
      """;

  private final Connection connection;
  private final long postmaster;

  private Database(Connection connection, long postmaster) {
    this.connection = connection;
    this.postmaster = postmaster;
  }

  /// Connects to it, as administrator.
  static Database of(PostgresqlServer server, String name) throws IOException {
    try {
      Connection connection = server.connect(name);
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
        boolean _ = row.next();
        return new Database(connection, parent(row.getLong(1)));
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private static long parent(long pid) {
    return ProcessHandle.of(pid).flatMap(ProcessHandle::parent).orElseThrow().pid();
  }

  /// The CPU time of all its processes, in milliseconds, also of those that have ended.
  long cpuMillis() throws IOException {
    long ticks = ticks(postmaster, 4);
    for (ProcessHandle child : ProcessHandle.of(postmaster).orElseThrow().descendants().toList()) {
      ticks += ticks(child.pid(), 2);
    }
    return ticks * TICK_MILLIS;
  }

  /// Adds up fields of proc(5) from `utime` on: 2 are those of the process, 4 also those of its
  /// children that have ended.
  private static long ticks(long pid, int count) throws IOException {
    String stat;
    try {
      stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    } catch (NoSuchFileException e) {
      return 0;
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Long.parseLong(fields[11 + i]);
    }
    return sum;
  }

  /// How often each table was read, by its name, and how many transactions there were.
  Map<String, Long> scans() throws IOException {
    Map<String, Long> scans = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SCANS)) {
      while (row.next()) {
        scans.put(row.getString(1), row.getLong(2));
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
    return scans;
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
