package im.zonda.testkit.server;

import im.zonda.metric.TimingCounts;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Access of clients to a test server.
interface Endpoint extends AutoCloseable {
  /// A connection; with TLS if the security is direct TLS.
  Wire connect(Login.Security security, String domain) throws IOException;

  /// A connection for an external component (XEP-0114).
  Wire connectComponent() throws IOException;

  /// An inbox for a client of that connection.
  Inbox inbox();

  /// The address of the listener; fails if there is none.
  InetSocketAddress address(Login.Security security);

  /// The address of the listener for other servers; fails if there is none.
  ///
  /// @param directTls whether connections begin with TLS
  InetSocketAddress serverAddress(boolean directTls);

  /// The default security of a client.
  Login.Security usualSecurity();

  /// From the arrival of messages to their write on streams with that content namespace; of clients
  /// also by BOSH. None in memory.
  default TimingCounts written(String namespace) {
    return TimingCounts.NONE;
  }

  /// Runs the tasks that wait for the test's thread.
  void settle();

  /// Ends all connections at once.
  default void cut() {
    close();
  }

  @Override
  void close();
}
