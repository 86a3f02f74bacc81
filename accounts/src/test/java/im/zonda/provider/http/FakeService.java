package im.zonda.provider.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import im.zonda.testkit.database.TestAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A service of accounts for tests.
final class FakeService implements AutoCloseable {
  private final HttpServer server;
  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

  /// A request.
  record Received(String target, Map<String, List<String>> headers, String body) {
    @Nullable String header(String name) {
      List<String> values = headers.get(name);
      return values == null ? null : String.join(" | ", values);
    }
  }

  /// An answer.
  @SuppressWarnings("ArrayRecordComponent") // sent, compared never
  record Reply(int status, String type, byte[] body) {
    static Reply json(String text) {
      return new Reply(200, "application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    static Reply text(int status, String text) {
      return new Reply(status, "text/plain", text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /// What the service does.
  interface Answers {
    Reply answer(Received request);
  }

  private FakeService(HttpServer server, Answers answers, UnaryOperator<String> location) {
    this.server = server;
    server.createContext(
        "/",
        exchange -> {
          try (exchange;
              InputStream in = exchange.getRequestBody()) {
            Received request =
                new Received(
                    exchange.getRequestURI().toString(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(in.readAllBytes(), StandardCharsets.UTF_8));
            received.add(request);
            send(exchange, answers.answer(request), location.apply(request.target()));
          }
        });
    server.start();
  }

  private static void send(HttpExchange exchange, Reply reply, String location) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", reply.type());
    if (!location.isEmpty()) {
      exchange.getResponseHeaders().set("Location", location);
    }
    exchange.sendResponseHeaders(reply.status(), reply.body().length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(reply.body());
    }
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /// A service without TLS.
  static FakeService start(Answers answers) throws IOException {
    return new FakeService(HttpServer.create(loopback(), 0), answers, _ -> "");
  }

  /// A service that sends those who ask elsewhere.
  static FakeService redirecting(int status, String location) throws IOException {
    return new FakeService(
        HttpServer.create(loopback(), 0), _ -> Reply.text(status, ""), _ -> location);
  }

  /// A service with a certificate.
  static FakeService start(TestAuthority authority, Answers answers) throws Exception {
    HttpsServer server = HttpsServer.create(loopback(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(authority)));
    return new FakeService(server, answers, _ -> "");
  }

  private static SSLContext context(TestAuthority authority)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    char[] password = "password".toCharArray();
    byte[] key =
        Base64.getMimeDecoder()
            .decode(Files.readString(authority.key()).replaceAll("-----[A-Z ]+-----", ""));
    store.setKeyEntry(
        "service",
        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)),
        password,
        new Certificate[] {certificate(authority.certificate())});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  /// Its address without TLS.
  String url() {
    return "http://127.0.0.1:" + port() + "/accounts";
  }

  /// The next request, which has been received.
  Received next() {
    Received request = received.poll();
    if (request == null) {
      throw new AssertionError("no request");
    }
    return request;
  }

  int waiting() {
    return received.size();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
