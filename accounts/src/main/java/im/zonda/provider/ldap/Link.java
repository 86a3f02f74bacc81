package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;

/// An open connection to a server. Used by one thread at a time.
final class Link implements AutoCloseable {
  private final ServerAddress server;
  private final LDAPConnection connection;
  private final long opened = System.nanoTime();
  private long used = opened;

  Link(ServerAddress server, LDAPConnection connection) {
    this.server = server;
    this.connection = connection;
  }

  ServerAddress server() {
    return server;
  }

  LDAPConnection connection() {
    return connection;
  }

  /// Notes that it was used now.
  void touch() {
    used = System.nanoTime();
  }

  long idleNanos() {
    return System.nanoTime() - used;
  }

  long ageNanos() {
    return System.nanoTime() - opened;
  }

  /// Asks the server for something that every server has: a firewall may have forgotten the
  /// connection without saying so.
  boolean answers() {
    try {
      SearchRequest request =
          new SearchRequest("", SearchScope.BASE, "(objectClass=*)", SearchRequest.NO_ATTRIBUTES);
      request.setResponseTimeoutMillis(Servers.OPEN_MILLIS);
      return connection.search(request).getResultCode().equals(ResultCode.SUCCESS);
    } catch (LDAPException e) {
      return e.getResultCode().isConnectionUsable();
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
