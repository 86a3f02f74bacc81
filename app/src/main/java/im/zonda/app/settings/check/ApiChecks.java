package im.zonda.app.settings.check;

import im.zonda.config.Admin;
import im.zonda.config.Api;
import im.zonda.config.ServerConfig;
import im.zonda.config.monitoring.Jmx;
import im.zonda.net.proxy.AddressRanges;
import java.net.InetAddress;
import java.util.List;
import java.util.function.BiConsumer;

/// Checks of `[api]`, `[jmx]` and `[admin]`.
///
/// @param report takes the key and what is wrong with it
public record ApiChecks(BiConsumer<String, String> report) {
  private static final String LISTEN = "api.listen";
  private static final String ALLOW_FROM = "api.allow-from";
  private static final String LABEL = "admin.label";
  private static final int MOST_LABEL = 40;

  /// Reports values that cannot be used, also those of `[traces.otlp]`.
  public void run(ServerConfig config) {
    run(config.api());
    run(config.jmx());
    run(config.admin());
    new OtlpChecks(report).run(config.traces().otlp());
  }

  private void run(Api api) {
    for (String address : api.listen()) {
      if (!isLoopback(address)) {
        report.accept(
            LISTEN,
            LISTEN
                + ": "
                + address
                + " can be reached from other machines, and tokens would cross the network in the"
                + " clear; use api.listen-tls, or an address such as 127.0.0.1:5290");
      }
    }
    checkNetworks(ALLOW_FROM, api.allowFrom());
  }

  private void run(Jmx jmx) {
    String listen = jmx.listen();
    if (listen != null && !jmx.tls() && !isLoopback(listen)) {
      report.accept(
          "jmx.tls",
          "jmx.tls: "
              + listen
              + " can be reached from other machines, and tokens would cross the network in the"
              + " clear; use TLS, or an address such as 127.0.0.1:5295");
    }
    checkNetworks("jmx.allow-from", jmx.allowFrom());
  }

  private void run(Admin admin) {
    checkNetworks("admin.allow-from", admin.allowFrom());
    if (admin.label().length() > MOST_LABEL) {
      report.accept(LABEL, LABEL + ": a word of at most " + MOST_LABEL + " characters is expected");
    }
  }

  private void checkNetworks(String key, List<String> networks) {
    for (String network : networks) {
      try {
        Object _ = new AddressRanges(List.of(network));
      } catch (IllegalArgumentException e) {
        report.accept(key, key + ": " + e.getMessage());
      }
    }
  }

  /// Whether an address with a port is one of this machine alone. Names are not looked up.
  static boolean isLoopback(String address) {
    String host = address.substring(0, address.lastIndexOf(':'));
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replace("[", "").replace("]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
