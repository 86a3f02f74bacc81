package im.zonda.study.load;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A connection by HTTP/1.1 that asks for one page again and again, and connects again when it has
/// failed. Not safe for use by several threads.
public final class PageConnection implements Closeable {
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final String LENGTH = "content-length:";
  private static final int LONGEST_LINE = 8_192;

  private final int port;
  private final byte[] request;
  private @Nullable Socket socket;
  private @Nullable InputStream in;
  private byte[] body = {};

  /// @param port of the server, on the loopback address
  /// @param path of the page
  public PageConnection(int port, String path) {
    this.port = port;
    this.request =
        ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
  }

  /// Asks for the page; whether the answer was 200.
  public boolean get() {
    try {
      return status() == 200;
    } catch (IOException e) {
      close();
      return false;
    }
  }

  /// Asks for the page, and reads all of it.
  ///
  /// @return the status of the answer
  /// @throws IOException if there is no answer; then the connection must be closed
  public int status() throws IOException {
    InputStream from = in;
    Socket to = socket;
    if (to == null || from == null) {
      to = new Socket();
      to.setTcpNoDelay(true);
      to.setSoTimeout(TIMEOUT_MILLIS);
      to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      from = new BufferedInputStream(to.getInputStream(), 1 << 16);
      socket = to;
      in = from;
    }
    to.getOutputStream().write(request);
    String first = line(from);
    int length = -1;
    for (String line = line(from); !line.isEmpty(); line = line(from)) {
      if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(line.substring(LENGTH.length()).strip());
      }
    }
    if (length < 0) {
      throw new IOException("an answer without a length");
    }
    body = from.readNBytes(length);
    if (body.length < length) {
      throw new EOFException();
    }
    return Integer.parseInt(first.split(" ", 3)[1]);
  }

  /// The last page.
  public String body() {
    return new String(body, StandardCharsets.UTF_8);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.length() > LONGEST_LINE) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    Socket open = socket;
    socket = null;
    in = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // The next request opens another one.
      }
    }
  }
}
