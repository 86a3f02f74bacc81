package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import im.zonda.json.JsonReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// An HTTP service that gets batches, and answers as the test wants.
final class TestService implements AutoCloseable {
  /// Answers one request.
  @FunctionalInterface
  interface Answerer {
    void answer(HttpExchange exchange) throws Exception;
  }

  /// A request.
  record Received(String path, Map<String, List<String>> headers, String body) {
    @Nullable String header(String name) {
      List<String> values = headers.get(name);
      return values == null ? null : values.getFirst();
    }
  }

  final List<Received> received = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Answerer> answers = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final String scheme;

  private TestService(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  static TestService start() throws IOException {
    return startAt(0);
  }

  static TestService startAt(int port) throws IOException {
    return new TestService(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0),
        "http");
  }

  static TestService start(SSLContext tls) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return new TestService(server, "https");
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return scheme + "://localhost:" + port() + "/hook?token=SESAME";
  }

  /// How the next requests are answered; those after them with 204.
  void answers(Answerer... next) {
    answers.addAll(List.of(next));
  }

  static Answerer status(int status) {
    return exchange -> exchange.sendResponseHeaders(status, -1);
  }

  static Answerer status(int status, String header, String value) {
    return exchange -> {
      exchange.getResponseHeaders().set(header, value);
      exchange.sendResponseHeaders(status, -1);
    };
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    Answerer answerer = answers.poll();
    received.add(
        new Received(
            exchange.getRequestURI().toString(), Map.copyOf(exchange.getRequestHeaders()), body));
    try (exchange) {
      (answerer == null ? status(204) : answerer).answer(exchange);
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /// The events of all requests so far.
  List<Map<String, Object>> events() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Received each : received) {
      all.addAll(events(each));
    }
    return all;
  }

  static List<Map<String, Object>> events(Received request) {
    List<Map<String, Object>> all = new ArrayList<>();
    if (JsonReader.object(request.body()).get("events") instanceof List<?> list) {
      for (Object each : list) {
        Map<String, Object> event = new LinkedHashMap<>();
        ((Map<?, ?>) each).forEach((name, value) -> event.put((String) name, value));
        all.add(event);
      }
    }
    return all;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    try {
      threads.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
