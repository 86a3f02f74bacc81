package im.zonda.testkit.server;

import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;

/// How clients come to a test's server.
interface Endpoint extends AutoCloseable {
  /// A connection; with TLS if the security is direct TLS.
  Wire connect(Login.Security security, String domain) throws IOException;

  /// An inbox for a client of that connection.
  Inbox inbox();

  /// The address of the listener; fails if there is none.
  InetSocketAddress address(Login.Security security);

  /// The protection that a client uses unless a test says otherwise.
  Login.Security usualSecurity();

  /// Runs what waits to be run by the test's thread.
  void settle();

  @Override
  void close();
}
