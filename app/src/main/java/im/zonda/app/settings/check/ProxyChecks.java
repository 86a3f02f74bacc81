package im.zonda.app.settings.check;

import im.zonda.config.ProxyProtocol;
import im.zonda.config.ServerConfig;
import im.zonda.config.edge.EdgeConfig;
import im.zonda.net.proxy.AddressRanges;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks of the settings that name proxies.
public final class ProxyChecks {
  private static final String SECTION = "proxy-protocol";
  private static final String HTTP = "http.trusted-proxies";

  private final BiConsumer<String, String> report;

  /// @param report gets the dotted path and the text of each problem
  public ProxyChecks(BiConsumer<String, String> report) {
    this.report = report;
  }

  /// Checks the settings of a server.
  public void run(ServerConfig config) {
    run(
        config.proxyProtocol(),
        Stream.of(
            config.c2s().listen(),
            config.c2s().listenTls(),
            config.s2s().listen(),
            config.s2s().listenTls(),
            config.component().listen(),
            config.edges().listen(),
            config.http().listen(),
            config.http().listenTls()));
    trusted(HTTP, config.http().trustedProxies());
  }

  /// Checks the settings of an edge.
  public void run(EdgeConfig config) {
    run(
        config.proxyProtocol(),
        Stream.of(
            config.c2s().listen(),
            config.c2s().listenTls(),
            config.http().listen(),
            config.http().listenTls()));
    trusted(HTTP, config.http().trustedProxies());
  }

  private void run(ProxyProtocol settings, Stream<List<String>> addresses) {
    Set<String> known = addresses.flatMap(List::stream).collect(Collectors.toSet());
    String listeners = SECTION + ".listeners";
    for (String each : settings.listeners()) {
      if (!known.contains(each)) {
        report.accept(
            listeners,
            listeners + ": " + each + " is in no listen or listen-tls of another section");
      }
    }
    String trusted = SECTION + ".trusted";
    if (settings.listeners().isEmpty() && !settings.trusted().isEmpty()) {
      report.accept(
          trusted, trusted + " has no effect: " + listeners + " names no address to listen on");
    }
    if (settings.trusted().isEmpty() && !settings.listeners().isEmpty()) {
      report.accept(
          listeners, listeners + " would accept no connection: " + trusted + " names no proxy");
    }
    trusted(trusted, settings.trusted());
  }

  private void trusted(String path, List<String> proxies) {
    for (String proxy : proxies) {
      try {
        Object _ = new AddressRanges(List.of(proxy));
      } catch (IllegalArgumentException e) {
        report.accept(path, path + ": " + e.getMessage());
      }
    }
  }
}
