package im.zonda.app.operation;

import im.zonda.http.HttpBody;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.json.JsonText;
import im.zonda.operation.Operation;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request that a test has made.
@SuppressWarnings("ArrayRecordComponent") // never compared
record GivenRequest(
    HttpMethod method,
    String path,
    Map<String, String> query,
    @Nullable String type,
    byte[] content)
    implements HttpRequest {
  /// The request for an operation with that input.
  static GivenRequest of(Operation<?, ?> operation, Map<String, Object> input) {
    Map<String, Object> rest = new LinkedHashMap<>(input);
    StringBuilder path = new StringBuilder("/api/v1");
    for (String segment : operation.route().segments()) {
      String name = segment.startsWith("{") ? segment.substring(1, segment.length() - 1) : null;
      path.append('/').append(name == null ? segment : text(rest.remove(name)));
    }
    HttpMethod method = operation.route().method();
    if (method == HttpMethod.GET || method == HttpMethod.DELETE) {
      Map<String, String> query = new LinkedHashMap<>();
      rest.forEach((name, value) -> query.put(name, text(value)));
      return new GivenRequest(method, path.toString(), query, null, new byte[0]);
    }
    return new GivenRequest(method, path.toString(), Map.of(), null, new byte[0])
        .with("application/json", JsonText.of(rest));
  }

  private static String text(@Nullable Object value) {
    return value instanceof List<?> list
        ? String.join(",", list.stream().map(String::valueOf).toList())
        : String.valueOf(value);
  }

  /// The same with another body.
  GivenRequest with(String otherType, String body) {
    return new GivenRequest(method, path, query, otherType, body.getBytes(StandardCharsets.UTF_8));
  }

  /// The same with another method.
  GivenRequest with(HttpMethod other) {
    return new GivenRequest(other, path, query, type, content);
  }

  @Override
  public String domain() {
    return "own.example";
  }

  @Override
  public String authority() {
    return "own.example";
  }

  @Override
  public boolean secure() {
    return false;
  }

  @Override
  public InetAddress remoteAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public @Nullable String header(String name) {
    return name.equals("Content-Type") ? type : null;
  }

  @Override
  public List<String> headers(String name) {
    String value = header(name);
    return value == null ? List.of() : List.of(value);
  }

  @Override
  public HttpBody body() {
    return HttpBody.of(content);
  }
}
