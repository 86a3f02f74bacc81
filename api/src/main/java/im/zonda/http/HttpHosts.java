package im.zonda.http;

import java.util.List;

/// The virtual hosts as HTTP sees them. Any thread may call; what is declared may change between
/// calls.
public interface HttpHosts {
  /// The domains of the hosts, in the order of the configuration. None where the hosts are not
  /// known, as at an edge: then any name is one.
  List<String> domains();

  /// The routes of a host; empty if there is none of that domain.
  List<HttpRoute> routes(String domain);

  /// The origins whose scripts may use what a host offers to other origins (CORS), and connect to
  /// it by WebSocket and BOSH; `*` is all. Empty if there is no host of that domain.
  List<String> origins(String domain);

  /// Whether clients may open streams here, by WebSocket.
  default boolean acceptsStreams() {
    return true;
  }

  /// Whether scripts of that origin may.
  default boolean allowsOrigin(String domain, String origin) {
    List<String> allowed = origins(domain);
    return allowed.contains("*") || allowed.contains(origin);
  }
}
