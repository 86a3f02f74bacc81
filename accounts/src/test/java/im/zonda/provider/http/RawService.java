package im.zonda.provider.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/// A service that sends bytes, for answers that no server would send. It answers one connection
/// after another, each with the next answer and the end of the connection.
final class RawService implements AutoCloseable {
  /// After this the connection stays open.
  static final String STAYS = "\u0000";

  private final ServerSocket server;
  private final Queue<String> answers;
  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  RawService(List<String> answers) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answers = new ArrayDeque<>(answers);
    Thread.ofVirtual().start(this::run);
  }

  private void run() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        requests.add(read(socket.getInputStream()));
        String answer = answers.isEmpty() ? "" : answers.remove();
        socket
            .getOutputStream()
            .write(answer.replace(STAYS, "").getBytes(StandardCharsets.ISO_8859_1));
        if (answer.endsWith(STAYS)) {
          closed.await();
        }
      } catch (IOException e) {
        // The other side is gone, or the test ends.
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /// Reads the headers and the body.
  private static String read(InputStream in) throws IOException {
    StringBuilder request = new StringBuilder();
    while (request.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return request.toString();
      }
      request.append((char) next);
    }
    for (String line : request.toString().split("\r\n", -1)) {
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        int length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
        request.append(new String(in.readNBytes(length), StandardCharsets.UTF_8));
      }
    }
    return request.toString();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /// The requests up to now.
  List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    server.close();
  }
}
