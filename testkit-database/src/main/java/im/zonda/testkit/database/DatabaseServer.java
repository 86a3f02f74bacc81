package im.zonda.testkit.database;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/// A database server that tests have started, on a loopback address.
public interface DatabaseServer extends AutoCloseable {
  String USER = "zonda";
  String PASSWORD = "o'\"\\ secret";

  /// The URL of a database, for the configuration.
  String url(String database);

  /// Creates a database and lets [#USER] use it.
  void createDatabase(String name);

  /// Creates a database whose tables are in a folder, for instance that of a small file system.
  void createDatabase(String name, Path folder);

  /// The port.
  int port();

  /// Opens a connection to a database as administrator.
  Connection connect(String database) throws SQLException;

  /// The query for the sessions that have [#USER]'s lock of a database: numbers for [#endSession].
  long lockHolder(String database) throws SQLException;

  /// Ends a session, and waits until the server has ended it.
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

  /// Ends the server in the proper way, without waiting for its clients.
  void stop();

  /// Kills the server's processes.
  void kill();

  /// Starts the server again on its data and waits until it accepts connections.
  void startAgain();

  /// Ends the server and deletes its data.
  @Override
  void close();
}
