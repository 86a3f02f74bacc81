package im.zonda.testkit.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// What carries a client's bytes: a socket, or a server in the same process.
public interface Wire {
  /// The bytes from the server; changes with [#startTls].
  InputStream in();

  /// The bytes to the server; changes with [#startTls].
  OutputStream out();

  /// Negotiates TLS as the client; any certificate is good.
  ///
  /// @throws IOException if the handshake fails
  void startTls(String domain) throws IOException;

  /// The TLS session, or null while there is none.
  @Nullable SSLSession tls();

  /// Closes the connection in the ordinary way.
  void close();

  /// Breaks the connection without a word, as a cut cable or a killed program does.
  void abort();
}
