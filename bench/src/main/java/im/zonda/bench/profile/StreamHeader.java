package im.zonda.bench.profile;

import im.zonda.bench.result.Result;
import im.zonda.bench.xmpp.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The size of what a server sends before the login.
///
/// @param header bytes of the stream header
/// @param features bytes of the features
record StreamHeader(int header, int features) {
  private static final int MILLIS = 10_000;
  private static final int MOST = 65_536;
  private static final String FEATURES = "<stream:features";
  private static final String END = "</stream:features>";

  /// Opens a stream and closes it again.
  ///
  /// @param endpoint for connections by TCP that are not encrypted at once
  /// @throws IOException if the server sends no features within ten seconds
  static StreamHeader of(Endpoint endpoint) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(endpoint.address(), MILLIS);
      socket.setSoTimeout(MILLIS);
      String open =
          "<?xml version='1.0'?><stream:stream xmlns='jabber:client'"
              + " xmlns:stream='http://etherx.jabber.org/streams' to='"
              + endpoint.domain()
              + "' version='1.0'>";
      socket.getOutputStream().write(open.getBytes(StandardCharsets.UTF_8));
      String text = read(socket.getInputStream());
      socket.getOutputStream().write("</stream:stream>".getBytes(StandardCharsets.UTF_8));
      int features = text.indexOf(FEATURES);
      return new StreamHeader(features, text.indexOf(END) + END.length() - features);
    }
  }

  /// Each character is a byte.
  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] some = new byte[4_096];
    String text = "";
    while (!text.contains(END)) {
      int count = in.read(some);
      if (count < 0 || read.size() > MOST) {
        throw new EOFException("the server sends no features of the stream");
      }
      read.write(some, 0, count);
      text = read.toString(StandardCharsets.ISO_8859_1);
    }
    if (!text.contains(FEATURES)) {
      throw new IOException("the server sends features without a beginning");
    }
    return text;
  }

  /// The figures of a result.
  List<Result.Figure> figures() {
    return List.of(
        new Result.Figure("stream-header", "stream header of the server", header, "B", null),
        new Result.Figure("stream-features", "features of the stream", features, "B", null));
  }
}
