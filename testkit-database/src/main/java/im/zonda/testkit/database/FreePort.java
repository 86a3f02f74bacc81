package im.zonda.testkit.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// A port for a server that is started later, and perhaps again. It lies below those that the
/// operating system gives to outgoing connections (32768 to 60999 on Linux), of which tests open
/// thousands: one of those could take it in the meantime.
final class FreePort {
  private static final int FIRST = 20_000;
  private static final int END = 32_000;
  private static final int ATTEMPTS = 100;

  private FreePort() {}

  static int find() throws IOException {
    IOException last = new IOException("no port was tried");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }
}
