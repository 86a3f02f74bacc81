package im.zonda.app.settings.check;

import im.zonda.config.Http;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.function.BiConsumer;

/// Checks of `[http]`.
///
/// @param report takes the key and what is wrong with it
public record HttpChecks(BiConsumer<String, String> report) {
  /// Reports values that cannot be used.
  public void run(Http http) {
    origins("http.origins", http.origins());
    if (http.url() != null && !isUrl(http.url("example.org"))) {
      report.accept("http.url", "http.url is not http:// or https:// and a host, without a path");
    }
  }

  /// Reports what is no origin.
  public void origins(String key, List<String> origins) {
    for (String origin : origins) {
      if (!origin.equals("*") && !isUrl(origin)) {
        report.accept(key, key + ": " + origin + " is not https://host");
      }
    }
  }

  private static boolean isUrl(String text) {
    try {
      URI url = new URI(text);
      String scheme = String.valueOf(url.getScheme());
      return (scheme.equals("http") || scheme.equals("https"))
          && url.getHost() != null
          && url.getRawUserInfo() == null
          && "".equals(url.getRawPath())
          && url.getRawQuery() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
