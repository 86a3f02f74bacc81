package im.zonda.app.launcher;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Stands for the services that the launcher downloads from: files by path, also in parts.
final class DownloadService implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, byte[]> files = new HashMap<>();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger cuts = new AtomicInteger();

  DownloadService() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  void serve(String path, byte[] content) {
    files.put(path, content);
  }

  void serve(String path, String content) {
    serve(path, content.getBytes(StandardCharsets.UTF_8));
  }

  /// The next `answers` with an archive end after half of what they announce.
  void cutArchives(int answers) {
    cuts.set(answers);
  }

  /// The requests so far: path, query and, for a part of a file, the range.
  List<String> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String range = exchange.getRequestHeaders().getFirst("Range");
    requests.add(exchange.getRequestURI() + (range == null ? "" : " " + range));
    byte[] content = files.get(path);
    if (content == null) {
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
      return;
    }
    int from = range == null ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
    if (range != null) {
      exchange
          .getResponseHeaders()
          .set(
              "Content-Range", "bytes " + from + "-" + (content.length - 1) + "/" + content.length);
    }
    byte[] rest = Arrays.copyOfRange(content, from, content.length);
    exchange.sendResponseHeaders(range == null ? 200 : 206, rest.length);
    OutputStream out = exchange.getResponseBody();
    if (path.endsWith(".tar.gz") && cuts.getAndDecrement() > 0) {
      out.write(rest, 0, rest.length / 2);
      out.flush();
      throw new IOException("cut, as the test wants it"); // the server ends the connection
    }
    out.write(rest);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
