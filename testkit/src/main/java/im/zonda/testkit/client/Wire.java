package im.zonda.testkit.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Connection of a client: a socket, or a pipe to a server in the same process.
public interface Wire {
  /// The bytes from the server; changes with [#startTls].
  InputStream in();

  /// The bytes to the server; changes with [#startTls].
  OutputStream out();

  /// Negotiates TLS as the client; accepts any certificate.
  ///
  /// @throws IOException if the handshake fails
  void startTls(String domain) throws IOException;

  /// The TLS session, or null while there is none.
  @Nullable SSLSession tls();

  /// Whether this side was closed because the server had closed its own.
  default boolean ended() {
    return false;
  }

  /// Closes the connection.
  void close();

  /// Resets the connection without closing the stream, as a killed program does.
  void abort();
}
