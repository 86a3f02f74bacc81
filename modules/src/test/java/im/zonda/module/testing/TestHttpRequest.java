package im.zonda.module.testing;

import im.zonda.http.HttpBody;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request by HTTP to `example.org`, as the server gives it to a handler.
public final class TestHttpRequest implements HttpRequest {
  private final HttpMethod method;
  private final String path;
  private final Map<String, String> query = new LinkedHashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();
  private byte[] body = new byte[0];

  public TestHttpRequest(HttpMethod method, String path) {
    this.method = method;
    this.path = path;
  }

  /// Adds a header field.
  public TestHttpRequest with(String name, String value) {
    headers.put(name.toLowerCase(Locale.ROOT), value);
    return this;
  }

  /// Adds a parameter of the query.
  public TestHttpRequest withQuery(String name, String value) {
    query.put(name, value);
    return this;
  }

  /// Sets the body.
  public TestHttpRequest with(byte[] newBody) {
    body = newBody;
    return this;
  }

  @Override
  public HttpMethod method() {
    return method;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public Map<String, String> query() {
    return query;
  }

  @Override
  public String domain() {
    return "example.org";
  }

  @Override
  public String authority() {
    return "example.org:5280";
  }

  @Override
  public boolean secure() {
    return true;
  }

  @Override
  public InetAddress remoteAddress() {
    return InetAddress.getLoopbackAddress();
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
    return HttpBody.of(body);
  }
}
