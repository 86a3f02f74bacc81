package im.zonda.http.page;

import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// The fields of a form that a browser sends.
///
/// @param fields by name
public record FormData(Map<String, String> fields) {
  private static final int MOST = 8_192;

  /// Reads a form.
  ///
  /// @throws HttpException if it comes from a page of another site, is too large or damaged
  public static FormData read(HttpRequest request) throws IOException {
    return read(request, MOST);
  }

  /// Reads a form of at most `most` bytes.
  ///
  /// @throws HttpException if it comes from a page of another site, is too large or damaged
  public static FormData read(HttpRequest request, int most) throws IOException {
    checkSite(request);
    String type = request.header("Content-Type");
    if (type == null
        || !type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded")) {
      throw new HttpException(415, "the form must be sent as application/x-www-form-urlencoded");
    }
    return parse(new String(request.body().collect(most), StandardCharsets.UTF_8));
  }

  /// Checks from where a form comes, as far as the browser says it.
  ///
  /// @throws HttpException if it comes from a page of another site
  public static void checkSite(HttpRequest request) {
    String site = request.header("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      throw new HttpException(403, "the form must be on a page of this server");
    }
  }

  /// Reads the form from a text.
  public static FormData parse(String text) {
    Map<String, String> fields = new HashMap<>();
    try {
      for (String field : text.split("&", -1)) {
        int equals = field.indexOf('=');
        if (equals > 0) {
          fields.put(decode(field.substring(0, equals)), decode(field.substring(equals + 1)));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, "the form is damaged");
    }
    return new FormData(fields);
  }

  private static String decode(String part) {
    return URLDecoder.decode(part, StandardCharsets.UTF_8);
  }

  /// The value of a field; empty if there is none.
  public String get(String name) {
    return fields.getOrDefault(name, "");
  }
}
