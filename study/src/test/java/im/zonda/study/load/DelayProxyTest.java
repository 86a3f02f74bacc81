package im.zonda.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DelayProxyTest {
  private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static void answerOnce(ServerSocket server) {
    try (Socket client = server.accept()) {
      int _ = client.getInputStream().read();
      client.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
      int _ = client.getInputStream().readAllBytes().length; // until the client goes
    } catch (IOException e) {
      // the test is over
    }
  }

  @Test
  void bytesTakeTheDelayInBothDirections() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        DelayProxy proxy = new DelayProxy(server.getLocalPort(), 100);
        PageConnection connection = new PageConnection(proxy.port(), "/")) {
      Thread _ = Thread.startVirtualThread(() -> answerOnce(server));
      long begin = System.nanoTime();

      assertThat(connection.status()).isEqualTo(200);

      assertThat(connection.body()).isEqualTo("ok");
      assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(200_000_000);
    }
  }
}
