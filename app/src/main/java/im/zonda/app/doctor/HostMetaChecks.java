package im.zonda.app.doctor;

import im.zonda.app.finding.Finding;
import java.net.URI;

/// Checks that clients in browsers find the WebSocket of a host.
final class HostMetaChecks {
  private static final String RELATION = "urn:xmpp:alt-connections:websocket";

  private HostMetaChecks() {}

  /// @param url the URL of the host by HTTP, from the configuration
  static Finding check(HostMetaFacts facts, String url) {
    String where = HostMetaFacts.url(facts.host());
    String text = facts.text();
    String[] advice = {
      "have the web server of " + facts.host() + " forward it, with nginx:",
      "location /.well-known/host-meta { proxy_pass " + url + "; }"
    };
    if (!url.startsWith("https://")) {
      return Finding.warning(
          "web",
          "http.url is " + url + ": browsers connect only by https",
          "[http]",
          "url = \"https://" + facts.host() + "\"");
    }
    if (text == null) {
      return Finding.warning(
          "web",
          "web clients do not find this server by " + where + ": " + facts.failure(),
          advice);
    }
    if (!text.contains(RELATION)) {
      return Finding.warning("web", where + " names no WebSocket", advice);
    }
    String host = String.valueOf(URI.create(url).getAuthority());
    return text.contains("wss://" + host + "/")
        ? Finding.ok("web", where + " leads to the WebSocket of " + host)
        : Finding.warning(
            "web", where + " leads to another WebSocket than that of " + host, advice);
  }
}
