package im.zonda.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
  private static final int HELD = 20;

  /// Answers nothing before it has a number of requests, which a closed loop of fewer threads would
  /// never send.
  private static final class HoldingServer implements AutoCloseable {
    private final ServerSocket socket;
    private final CountDownLatch missing;
    private final String status;

    HoldingServer(int held, String status) throws IOException {
      this.socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
      this.missing = new CountDownLatch(held);
      this.status = status;
      Thread _ = Thread.startVirtualThread(this::accept);
    }

    private void accept() {
      try {
        while (true) {
          Socket client = socket.accept();
          Thread _ = Thread.startVirtualThread(() -> serve(client));
        }
      } catch (IOException e) {
        // closed
      }
    }

    private void serve(Socket client) {
      try (client;
          BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          if (line.isEmpty()) {
            missing.countDown();
            missing.await();
            String answer = "HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\nok";
            client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
          }
        }
      } catch (IOException e) {
        // the client is gone
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void timesCountFromWhenPagesWereDue() throws Exception {
    try (HoldingServer server = new HoldingServer(HELD, "200 OK")) {
      PageLoad load = new OpenLoop(server.socket.getLocalPort(), "/").run(200, 40);

      assertThat(load.errors()).isZero();
      assertThat(load.samples().millis()).hasSize(40);
      // The first was due 19 x 5 ms before the last that the server waits for.
      assertThat(load.samples().millis()[0]).isGreaterThanOrEqualTo(95);
      assertThat(load.samples().millis()[10]).isGreaterThanOrEqualTo(45);
      assertThat(load.seconds()).isGreaterThanOrEqualTo(0.195);
    }
  }

  @Test
  void otherAnswersAreErrors() throws Exception {
    try (HoldingServer server = new HoldingServer(0, "503 Service Unavailable")) {
      PageLoad load = new OpenLoop(server.socket.getLocalPort(), "/").run(1_000, 5);

      assertThat(load.errors()).isEqualTo(5);
    }
  }
}
