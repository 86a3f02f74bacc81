package im.zonda.web.account;

import im.zonda.http.HttpBody;
import im.zonda.http.HttpContent;
import im.zonda.http.HttpException;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.http.page.FormData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A browser with its cookies, which asks the routes of a host.
final class Browser {
  private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([0-9a-f]+)\"");

  private final List<HttpRoute> routes;

  /// The cookies by their names.
  final Map<String, String> cookies = new TreeMap<>();

  /// Header fields that are sent besides, by their names in lower case.
  final Map<String, String> headers = new HashMap<>(Map.of("sec-fetch-site", "same-origin"));

  /// The token of the last page with a form.
  String token = "";

  boolean secure = true;
  String address = "192.0.2.1";

  Browser(List<HttpRoute> routes) {
    this.routes = routes;
  }

  /// A response.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(int status, Map<String, String> headers, String text, byte[] bytes) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Request(
      HttpMethod method, String url, Map<String, String> sent, byte[] data, Browser browser)
      implements HttpRequest {
    @Override
    public String path() {
      return url.split("\\?", -1)[0];
    }

    @Override
    public Map<String, String> query() {
      return url.contains("?")
          ? FormData.parse(url.substring(url.indexOf('?') + 1)).fields()
          : Map.of();
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
    public boolean secure() {
      return browser.secure;
    }

    @Override
    public InetAddress remoteAddress() {
      try {
        return InetAddress.getByName(browser.address);
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public @Nullable String header(String name) {
      return sent.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public List<String> headers(String name) {
      String value = header(name);
      return value == null ? List.of() : List.of(value);
    }

    @Override
    public HttpBody body() {
      return HttpBody.of(data);
    }
  }

  Answer get(String url) {
    return send(HttpMethod.GET, url, Map.of(), new byte[0]);
  }

  /// Sends a form with the token of the last page.
  Answer post(String url, String form) {
    return postWithout(url, "token=" + token + "&" + form);
  }

  /// Sends a form as it is.
  Answer postWithout(String url, String form) {
    return send(
        HttpMethod.POST,
        url,
        Map.of("content-type", "application/x-www-form-urlencoded"),
        form.getBytes(StandardCharsets.UTF_8));
  }

  Answer send(HttpMethod method, String url, Map<String, String> type, byte[] body) {
    Map<String, String> sent = new HashMap<>(headers);
    sent.putAll(type);
    if (!cookies.isEmpty()) {
      sent.putIfAbsent(
          "cookie",
          String.join(
              "; ",
              cookies.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList()));
    }
    Request request = new Request(method, url, sent, body, this);
    HttpRoute route =
        routes.stream()
            .filter(each -> each.matches(request.path()) && each.methods().contains(method))
            .findFirst()
            .orElseThrow();
    try {
      HttpResponse response = route.handler().handle(request);
      return accept(response, read(response));
    } catch (HttpException e) {
      return new Answer(e.status(), Map.of(), String.valueOf(e.getMessage()), new byte[0]);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse read(HttpResponse first) {
    if (!(first.content() instanceof HttpContent.Later(var source))) {
      return first;
    }
    AtomicReference<@Nullable HttpResponse> known = new AtomicReference<>();
    source.whenKnown(known::set);
    HttpResponse response = known.get();
    if (response == null) {
      throw new IllegalStateException("not answered");
    }
    return response;
  }

  private Answer accept(HttpResponse first, HttpResponse response) throws IOException {
    Map<String, String> fields = new HashMap<>();
    for (HttpResponse.Header each : response.headers()) {
      fields.merge(each.name(), each.value(), (a, b) -> a + "\n" + b);
      if (each.name().equals("Set-Cookie")) {
        keep(each.value());
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    switch (response.content()) {
      case HttpContent.Bytes(byte[] all) -> bytes.write(all);
      case HttpContent.Streamed(long _, HttpContent.Writer writer) -> writer.writeTo(bytes::write);
      case HttpContent.FilePart _, HttpContent.Later _ -> throw new IOException("not expected");
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    Matcher found = TOKEN.matcher(text);
    if (found.find()) {
      token = found.group(1);
    }
    return new Answer(
        first.status() == 200 ? response.status() : first.status(),
        fields,
        text,
        bytes.toByteArray());
  }

  private void keep(String field) {
    String pair = field.split(";", -1)[0];
    String name = pair.substring(0, pair.indexOf('='));
    if (field.contains("Max-Age=0")) {
      cookies.remove(name);
    } else {
      cookies.put(name, pair.substring(pair.indexOf('=') + 1));
    }
  }
}
