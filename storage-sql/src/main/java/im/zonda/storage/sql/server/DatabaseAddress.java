package im.zonda.storage.sql.server;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where a database is and who connects to it.
///
/// @param host the name or address of the server; an IPv6 address in brackets
/// @param port the TCP port
/// @param database the name of the database
/// @param user the user
/// @param password the password, or null for none
/// @param tls whether TLS is used and the certificate verified
/// @param authorities PEM file of the certificate authorities, or null for those of the JVM
public record DatabaseAddress(
    String scheme,
    String host,
    int port,
    String database,
    String user,
    @Nullable String password,
    DatabaseTls tls,
    @Nullable Path authorities) {

  /// Reads the settings.
  ///
  /// @param defaultPort the port if the URL has none
  public static DatabaseAddress of(Storage settings, int defaultPort) {
    URI uri = URI.create(settings.url());
    String host = String.valueOf(uri.getHost());
    String user = settings.user();
    DatabaseTls tls = settings.tls();
    return new DatabaseAddress(
        uri.getScheme(),
        host,
        uri.getPort() < 0 ? defaultPort : uri.getPort(),
        uri.getPath().substring(1),
        user == null ? "" : user,
        settings.password(),
        tls != null ? tls : isLoopback(host) ? DatabaseTls.OFF : DatabaseTls.VERIFY,
        settings.tlsCa());
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
  }

  /// The URL, without user and password; after `jdbc:`, what a driver connects to.
  @Override
  public String toString() {
    return scheme + "://" + host + ":" + port + "/" + database;
  }
}
