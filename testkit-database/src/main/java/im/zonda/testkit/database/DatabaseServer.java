package im.zonda.testkit.database;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/// A database server that tests have started.
public interface DatabaseServer {
  String USER = "zonda";
  String PASSWORD = "o'\"\\ secret";

  /// The URL of a database, for the configuration.
  String url(String database);

  /// Creates a database and lets [#USER] use it.
  void createDatabase(String name);

  /// Opens a connection to a database as administrator.
  Connection connect(String database) throws SQLException;

  /// The query for the sessions that have [#USER]'s lock of a database: numbers for [#endSession].
  long lockHolder(String database) throws SQLException;

  /// Ends a session.
  void endSession(long session) throws SQLException;

  /// Lets clients use TLS, with a certificate for `localhost`. Returns the PEM file of its
  /// authority.
  Path enableTls();

  /// Ends TLS for new connections, if the server can.
  void disableTls();

  /// Stops the server's processes for a while: nothing is answered.
  void suspend();

  /// Lets the server's processes run again.
  void resume();
}
