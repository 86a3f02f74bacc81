package im.zonda.net.http;

import im.zonda.config.Http;
import im.zonda.http.HttpException;
import im.zonda.http.HttpHosts;
import im.zonda.stream.CertificateNames;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Finds the virtual host of a request by the name that it asks for. Any thread may call.
final class HostChoice {
  private final Http settings;
  private final HttpHosts hosts;

  HostChoice(Http settings, HttpHosts hosts) {
    this.settings = settings;
    this.hosts = hosts;
  }

  /// The domain of the host that is meant by `authority`, a host with or without a port. A number,
  /// `localhost` or nothing means the first host. If no hosts are known, any name is one.
  ///
  /// @throws HttpException 400 or 421
  String domain(@Nullable String authority) {
    List<String> domains = hosts.domains();
    if (domains.isEmpty()) {
      return authority == null || authority.isEmpty() ? "" : name(authority);
    }
    if (authority == null || authority.isEmpty()) {
      return domains.getFirst();
    }
    String name = name(authority);
    for (String domain : domains) {
      if (CertificateNames.toAscii(domain).equals(name)) {
        return domain;
      }
    }
    for (String domain : domains) {
      String host = URI.create(settings.url(CertificateNames.toAscii(domain))).getHost();
      if (name.equalsIgnoreCase(host)) {
        return domain;
      }
    }
    if (name.startsWith("[") || name.equals("localhost") || isNumber(name)) {
      return domains.getFirst();
    }
    throw new HttpException(421, "This server has no host " + name);
  }

  private static boolean isNumber(String name) {
    return name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  /// The name without port and final dot, in lower case.
  private static String name(String authority) {
    int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
    String name = end <= 0 ? authority : authority.substring(0, end);
    String port = authority.substring(name.length());
    boolean valid =
        name.length() <= 253
            && name.chars().allMatch(HostChoice::isNameCharacter)
            && (port.isEmpty()
                || (port.startsWith(":")
                    && port.length() <= 6
                    && port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9')));
    if (!valid || name.isEmpty()) {
      throw new HttpException(400, "The field Host names no host");
    }
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static boolean isNameCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-._[]:".indexOf(c) >= 0;
  }
}
