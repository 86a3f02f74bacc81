package im.zonda.module.upload;

import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.config.Uploads;
import im.zonda.http.HttpContent;
import im.zonda.http.HttpException;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHttpRequest;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A host with an upload service whose limits are small, and accounts.
final class UploadStage {
  static final String NAMESPACE = "urn:xmpp:http:upload:0";
  static final String ROMEO = "romeo@example.org/orchard";
  static final String JULIET = "juliet@example.org/balcony";

  /// Files of 100 bytes, 250 in a day, 300 in all, 5 files in a day, for 30 days.
  static final Uploads SMALL =
      new Uploads(true, "upload", 100, 300, 250, 5, Duration.ofDays(30), 2, 3);

  final TestContext context = new TestContext();

  UploadStage(Uploads settings) {
    Services services =
        new Services(Services.Push.DEFAULTS, Map.of(), Services.Search.DEFAULTS).with(settings);
    Http http = new Http(List.of(), List.of("127.0.0.1:443"), null, List.of("*"));
    ServerConfig d = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    ServerConfig.Host own =
        new ServerConfig.Host(null, null, null, services, null, null, null, null);
    context
        .config(d.withHttp(http).withHosts(Map.of("example.org", own)).at("example.org"))
        .install(new UploadModule());
    context.account("romeo@example.org");
    context.account("juliet@example.org");
  }

  /// What the service answers.
  Element ask(String from, String payload) {
    context
        .host()
        .services()
        .getFirst()
        .acceptForDomain(
            TestXml.iq(
                "<iq type='get' id='step_03' from='%s' to='upload.example.org'>%s</iq>"
                    .formatted(from, payload)));
    List<Stanza> sent = context.takeSent();
    if (sent.size() != 1) {
      throw new AssertionError("answers: " + sent);
    }
    return sent.getFirst().toElement();
  }

  /// The URLs of a new slot.
  Urls slot(String from, String name, int size, @Nullable String type) {
    Element answer = ask(from, request(name, size, type));
    Element slot = answer.child(new QName(NAMESPACE, "slot"));
    if (slot == null) {
      throw new AssertionError("no slot: " + answer);
    }
    return new Urls(url(slot, "put"), url(slot, "get"));
  }

  static String request(String name, int size, @Nullable String type) {
    Element request =
        Element.builder(NAMESPACE, "request")
            .attribute("filename", name)
            .attribute("size", Integer.toString(size))
            .attribute("content-type", type)
            .build();
    return XmlWriter.toString(request);
  }

  private static String url(Element slot, String name) {
    Element child = Objects.requireNonNull(slot.child(new QName(NAMESPACE, name)));
    return Objects.requireNonNull(child.attribute("url"));
  }

  record Urls(String put, String get) {}

  /// A request, as the server decodes it.
  static TestHttpRequest http(HttpMethod method, String url) {
    URI uri = URI.create(url);
    TestHttpRequest request = new TestHttpRequest(method, uri.getPath());
    if (uri.getQuery() != null) {
      for (String each : uri.getQuery().split("&", -1)) {
        int equals = each.indexOf('=');
        request.withQuery(each.substring(0, equals), each.substring(equals + 1));
      }
    }
    return request;
  }

  /// The status of the response to a request.
  int status(TestHttpRequest request) throws IOException {
    try {
      return context.host().http(request).status();
    } catch (HttpException e) {
      return e.status();
    }
  }

  int put(Urls slot, String body) throws IOException {
    return status(http(HttpMethod.PUT, slot.put()).with(bytes(body)));
  }

  /// Uploads a file of that size; returns its address.
  String upload(String from, int size) throws IOException {
    Urls slot = slot(from, "a.txt", size, null);
    int status = put(slot, "x".repeat(size));
    if (status != 201) {
      throw new AssertionError("status " + status);
    }
    return slot.get();
  }

  HttpResponse get(String url) throws IOException {
    return context.host().http(http(HttpMethod.GET, url));
  }

  int getStatus(String url) throws IOException {
    return status(http(HttpMethod.GET, url));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String body(HttpResponse response) {
    return new String(((HttpContent.Bytes) response.content()).bytes(), StandardCharsets.UTF_8);
  }

  static @Nullable String header(HttpResponse response, String name) {
    return response.headers().stream()
        .filter(each -> each.name().equals(name))
        .map(HttpResponse.Header::value)
        .findFirst()
        .orElse(null);
  }
}
