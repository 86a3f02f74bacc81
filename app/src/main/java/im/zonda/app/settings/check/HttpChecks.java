package im.zonda.app.settings.check;

import im.zonda.config.Http;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.BiConsumer;

/// Checks of `[http]`.
///
/// @param report takes the key and what is wrong with it
public record HttpChecks(BiConsumer<String, String> report) {
  /// Reports values that cannot be used.
  public void run(Http http) {
    for (String origin : http.origins()) {
      if (!origin.equals("*") && !isUrl(origin)) {
        report.accept("http.origins", "http.origins: " + origin + " is not https://host");
      }
    }
    if (http.url() != null && !isUrl(http.url("example.org"))) {
      report.accept("http.url", "http.url is not http:// or https:// and a host, without a path");
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
