package im.zonda.testkit.client;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Carries one request of BOSH to a server, and its response back. Any thread may call.
@FunctionalInterface
public interface BoshNetwork {
  /// Sends a body; returns that of the response. Blocks.
  ///
  /// @throws IOException if there is no response: the request may have come all the same
  String post(String body) throws IOException;

  /// A network of HTTP/1.1 and TLS that keeps connections open.
  static BoshNetwork https(InetSocketAddress address, String domain) {
    return keepingOpen(() -> connect(address, domain), domain);
  }

  /// A network of HTTP/1.1 without TLS that keeps connections open.
  static BoshNetwork http(InetSocketAddress address, String domain) {
    return keepingOpen(() -> SocketWire.connect(address), domain);
  }

  /// Makes a connection.
  @FunctionalInterface
  interface Connector {
    SocketWire connect() throws IOException;
  }

  private static BoshNetwork keepingOpen(Connector connector, String domain) {
    Queue<SocketWire> idle = new ConcurrentLinkedQueue<>();
    return body -> {
      SocketWire used = idle.poll();
      SocketWire wire = used == null ? connector.connect() : used;
      try {
        String response = exchange(wire, domain, body);
        idle.add(wire);
        return response;
      } catch (IOException e) {
        wire.abort();
        throw e;
      }
    };
  }

  private static SocketWire connect(InetSocketAddress address, String domain) throws IOException {
    SocketWire wire =
        SocketWire.connect(address, List.of("TLSv1.3", "TLSv1.2"), List.of("http/1.1"));
    wire.startTls(domain);
    return wire;
  }

  private static String exchange(SocketWire wire, String domain, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        "POST /http-bind HTTP/1.1\r\nHost: %s\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
            .formatted(domain, bytes.length);
    byte[] request = new byte[head.length() + bytes.length];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, request, 0, head.length());
    System.arraycopy(bytes, 0, request, head.length(), bytes.length);
    wire.out().write(request);
    wire.out().flush();
    DataInputStream in = new DataInputStream(new BufferedInputStream(wire.in()));
    StringBuilder fields = new StringBuilder();
    while (fields.indexOf("\r\n\r\n") < 0) {
      fields.append((char) in.readUnsignedByte());
    }
    int length = 0;
    for (String field : fields.toString().toLowerCase(Locale.ROOT).split("\r\n", -1)) {
      if (field.startsWith("content-length:")) {
        length = Integer.parseInt(field.substring("content-length:".length()).strip());
      }
    }
    String content = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    if (!fields.toString().startsWith("HTTP/1.1 200 ")) {
      throw new IOException("no BOSH: " + fields + content);
    }
    return content;
  }
}
