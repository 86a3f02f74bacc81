package im.zonda.app.settings.check;

import im.zonda.config.monitoring.Traces;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/// Checks of `[traces.otlp]`.
///
/// @param report takes the key and what is wrong with it
public record OtlpChecks(BiConsumer<String, String> report) {
  private static final String URL = "traces.otlp.url";
  private static final String HEADERS = "traces.otlp.headers";

  /// Headers that belong to the connection or to what is sent.
  private static final Set<String> OWN =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "transfer-encoding",
          "upgrade");

  private static final Pattern VALUE =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");

  /// Reports values that cannot be used.
  public void run(Traces.Otlp otlp) {
    String url = otlp.url();
    if (url != null) {
      url(url);
    }
    otlp.headers()
        .forEach((name, value) -> {
          String path = HEADERS + "." + name;
          if (OWN.contains(name)) {
            report.accept(path, path + ": the server sets this header itself");
          } else if (!VALUE.matcher(value).matches()) {
            report.accept(path, path + " must be visible characters of ASCII");
          }
        });
  }

  private void url(String url) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      report.accept(URL, URL + ": " + url + " is no URL");
      return;
    }
    boolean plain = "http".equalsIgnoreCase(uri.getScheme());
    String host = uri.getHost();
    if (host == null || (!plain && !"https".equalsIgnoreCase(uri.getScheme()))) {
      report.accept(
          URL, URL + ": an address such as https://collector.example.org/v1/traces is expected");
    } else if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      report.accept(URL, URL + ": a user or a fragment cannot be sent; see traces.otlp.headers");
    } else if (plain && !ApiChecks.isLoopback(host + ":")) {
      report.accept(
          URL,
          URL
              + ": "
              + host
              + " is not this machine, and addresses of people would cross the network in the"
              + " clear; use https");
    }
  }
}
