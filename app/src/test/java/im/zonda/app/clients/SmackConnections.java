package im.zonda.app.clients;

import im.zonda.testkit.client.TrustAll;
import java.net.InetSocketAddress;
import org.jivesoftware.smack.ConnectionConfiguration.SecurityMode;
import org.jivesoftware.smack.ReconnectionManager;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smack.tcp.XMPPTCPConnectionConfiguration;
import org.jxmpp.stringprep.XmppStringprepException;

/// Connections of the Smack library to a server under test.
public final class SmackConnections {
  private SmackConnections() {}

  /// A connection of an account of `example.org` with STARTTLS, not connected yet. It does not
  /// reconnect by itself.
  public static XMPPTCPConnection of(
      InetSocketAddress address, String user, String password, String resource)
      throws XmppStringprepException {
    XMPPTCPConnection connection =
        new XMPPTCPConnection(
            XMPPTCPConnectionConfiguration.builder()
                .setXmppDomain("example.org")
                .setHostAddress(address.getAddress())
                .setPort(address.getPort())
                .setSecurityMode(SecurityMode.required)
                .setCustomX509TrustManager(TrustAll.manager())
                .setHostnameVerifier((host, session) -> true)
                .setUsernameAndPassword(user, password)
                .setResource(resource)
                .build());
    connection.setReplyTimeout(15_000);
    ReconnectionManager.getInstanceFor(connection).disableAutomaticReconnection();
    return connection;
  }
}
