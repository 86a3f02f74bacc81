package im.zonda.app;

import im.zonda.net.Listener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Connects to the server of this process as a client, so that the classes for the first connection
/// are in the class-data archive.
final class StartupConnection {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int MAX_BYTES = 16_384;

  private StartupConnection() {}

  /// Opens a stream and waits for its features.
  ///
  /// @throws IOException if the server sends no features
  static void connect(List<Listener> listeners, String host) throws IOException {
    for (Listener listener : listeners) {
      if (listener.kind() == Listener.Kind.STARTTLS) {
        connect(listener.address(), host);
        return;
      }
    }
  }

  private static void connect(InetSocketAddress address, String host) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(address, TIMEOUT_MILLIS);
      String header =
          "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
              + " version='1.0' to='"
              + host
              + "'>";
      socket.getOutputStream().write(header.getBytes(StandardCharsets.UTF_8));
      StringBuilder received = new StringBuilder();
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[4_096];
      while (received.indexOf("</stream:features>") < 0) {
        int count = in.read(buffer);
        if (count < 0 || received.length() > MAX_BYTES) {
          throw new IOException("the server offered no stream features");
        }
        received.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
      }
    }
  }
}
