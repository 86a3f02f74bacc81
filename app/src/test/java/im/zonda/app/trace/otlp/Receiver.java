package im.zonda.app.trace.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import im.zonda.json.JsonReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// A collector of a test: keeps what it gets, and has an answer for each request.
final class Receiver implements AutoCloseable {
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch end = new CountDownLatch(1);

  // Guarded by this object's monitor.
  private final List<String> bodies = new ArrayList<>();
  private final List<Map<String, List<String>>> headers = new ArrayList<>();
  private final Deque<Reply> replies = new ArrayDeque<>();

  /// @param length how many bytes are promised; more than there are: the rest never comes
  record Reply(int status, @Nullable String retryAfter, String body, long length) {}

  Receiver(int port) throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.createContext("/v1/traces", this::answer);
    http.setExecutor(threads);
    http.start();
  }

  int port() {
    return http.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/v1/traces";
  }

  synchronized void next(int status, @Nullable String retryAfter, String body) {
    replies.add(new Reply(status, retryAfter, body, body.length()));
  }

  /// The next answer begins and never ends.
  synchronized void nextNeverEnds() {
    replies.add(new Reply(200, null, "{", 100));
  }

  synchronized List<String> bodies() {
    return List.copyOf(bodies);
  }

  synchronized Map<String, List<String>> lastHeaders() {
    return headers.getLast();
  }

  /// The spans of all requests.
  List<Map<?, ?>> spans() {
    List<Map<?, ?>> spans = new ArrayList<>();
    for (String body : bodies()) {
      for (Object resource : list(JsonReader.object(body), "resourceSpans")) {
        for (Object scope : list((Map<?, ?>) resource, "scopeSpans")) {
          list((Map<?, ?>) scope, "spans").forEach(span -> spans.add((Map<?, ?>) span));
        }
      }
    }
    return spans;
  }

  static List<Object> list(Map<?, ?> holder, String name) {
    return new ArrayList<>((List<?>) Objects.requireNonNull(holder.get(name), name));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Reply reply;
    synchronized (this) {
      bodies.add(body);
      headers.add(Map.copyOf(exchange.getRequestHeaders()));
      reply = replies.isEmpty() ? new Reply(200, null, "{}", 2) : replies.remove();
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    if (reply.retryAfter() != null) {
      exchange.getResponseHeaders().set("Retry-After", reply.retryAfter());
    }
    exchange.sendResponseHeaders(reply.status(), reply.length());
    exchange.getResponseBody().write(reply.body().getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
    if (reply.length() > reply.body().length()) {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    exchange.close();
  }

  @Override
  public void close() {
    end.countDown();
    http.stop(0);
    threads.shutdownNow();
  }
}
