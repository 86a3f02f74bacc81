package im.zonda.provider.http;

import im.zonda.account.provider.ProviderException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/// Where the service is. Without TLS it is on this machine, by the address that its name has and
/// not by the name: what is asked is sent to that address.
///
/// @param url `https://…`, or `http://…`; without a slash at its end
record ServiceAddress(URI url) {
  static ServiceAddress of(String url) {
    return new ServiceAddress(
        URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url));
  }

  boolean isTls() {
    return url.getScheme().equalsIgnoreCase("https");
  }

  int port() {
    return url.getPort() >= 0 ? url.getPort() : isTls() ? 443 : 80;
  }

  /// The host, without the brackets of an IPv6 address.
  String host() {
    return url.getHost().replace("[", "").replace("]", "");
  }

  /// Looks up the addresses of the host.
  ///
  /// @throws ProviderException if it has none, or one of another machine although there is no TLS
  List<InetAddress> lookUp() throws ProviderException {
    List<InetAddress> addresses;
    try {
      addresses = List.of(InetAddress.getAllByName(host()));
    } catch (UnknownHostException e) {
      throw new ProviderException("the name " + host() + " has no address");
    }
    for (InetAddress each : addresses) {
      if (!isTls() && !each.isLoopbackAddress()) {
        throw new ProviderException(
            "http:// is for services on this machine only, and "
                + host()
                + " is "
                + each.getHostAddress());
      }
    }
    return addresses;
  }

  /// The addresses of a resource, the first one to be asked first.
  ///
  /// @param rest what follows the address of the service
  /// @throws ProviderException if the service is not where it may be
  List<URI> resource(String rest) throws ProviderException {
    if (isTls()) {
      return List.of(URI.create(url + rest));
    }
    List<URI> all = new ArrayList<>();
    for (InetAddress each : lookUp()) {
      String literal = each.getHostAddress();
      String host = literal.contains(":") ? "[" + literal + "]" : literal;
      all.add(URI.create("http://" + host + ":" + port() + url.getRawPath() + rest));
    }
    return all;
  }
}
