package im.zonda.provider.ldap;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Where a server of the directory listens.
///
/// @param scheme whether TLS begins with the connection, or whether DNS names the servers
/// @param host a name or an address; of `srv` a domain
/// @param port 0 for `srv`
record ServerAddress(Scheme scheme, String host, int port) {
  /// The beginning of its URI.
  enum Scheme {
    LDAP(389),
    LDAPS(636),
    SRV(0);

    private final int port;

    Scheme(int port) {
      this.port = port;
    }
  }

  /// Reads `ldap://host`, `ldaps://host` or `srv://domain`; ports only for the first two. Null if
  /// it is something else.
  static @Nullable ServerAddress parse(String text) {
    try {
      URI uri = new URI(text);
      Scheme scheme = scheme(uri.getScheme());
      String host = uri.getHost();
      String path = uri.getRawPath();
      if (scheme == null
          || host == null
          || uri.getRawUserInfo() != null
          || uri.getRawQuery() != null
          || uri.getRawFragment() != null
          || (path != null && !path.isEmpty() && !path.equals("/"))) {
        return null;
      }
      int port = uri.getPort();
      if (port == 0 || port > 65_535 || (scheme == Scheme.SRV && port >= 0)) {
        return null;
      }
      String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      return new ServerAddress(scheme, bare, port < 0 ? scheme.port : port);
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static @Nullable Scheme scheme(@Nullable String text) {
    if (text == null) {
      return null;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "ldap" -> Scheme.LDAP;
      case "ldaps" -> Scheme.LDAPS;
      case "srv" -> Scheme.SRV;
      default -> null;
    };
  }

  @Override
  public String toString() {
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return scheme.name().toLowerCase(Locale.ROOT) + "://" + name + (port == 0 ? "" : ":" + port);
  }
}
