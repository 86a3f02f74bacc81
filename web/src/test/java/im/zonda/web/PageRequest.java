package im.zonda.web;

import im.zonda.http.HttpBody;
import im.zonda.http.HttpContent;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request of a browser to `example.org`.
///
/// @param headers by their names in lower case
/// @param form the body
public record PageRequest(
    String path, Map<String, String> headers, String form, boolean secure, String address)
    implements HttpRequest {
  /// A request over HTTPS.
  public static PageRequest get(String path) {
    return new PageRequest(path, Map.of(), "", true, "192.0.2.1");
  }

  /// A form that is sent from a page of the server.
  public static PageRequest post(String path, String form) {
    return new PageRequest(
        path,
        Map.of(
            "content-type", "application/x-www-form-urlencoded", "sec-fetch-site", "same-origin"),
        form,
        true,
        "192.0.2.1");
  }

  /// The same with other header fields.
  public PageRequest with(Map<String, String> others) {
    return new PageRequest(path, others, form, secure, address);
  }

  /// The same without encryption.
  public PageRequest insecure(String from) {
    return new PageRequest(path, headers, form, false, from);
  }

  /// The text of a response.
  public static String text(HttpResponse response) {
    return new String(((HttpContent.Bytes) response.content()).bytes(), StandardCharsets.UTF_8);
  }

  @Override
  public HttpMethod method() {
    return form.isEmpty() ? HttpMethod.GET : HttpMethod.POST;
  }

  @Override
  public Map<String, String> query() {
    return Map.of();
  }

  @Override
  public String domain() {
    return "example.org";
  }

  @Override
  public String authority() {
    return "example.org";
  }

  @Override
  public InetAddress remoteAddress() {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  @Override
  public List<String> headers(String name) {
    String value = header(name);
    return value == null ? List.of() : List.of(value);
  }

  @Override
  public HttpBody body() {
    return HttpBody.of(form.getBytes(StandardCharsets.UTF_8));
  }
}
