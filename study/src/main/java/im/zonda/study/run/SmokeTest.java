package im.zonda.study.run;

import im.zonda.study.load.PageConnection;
import im.zonda.study.page.Contents;
import im.zonda.study.page.PageModule;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Shows that a server with changed jars still works: pages, a login, and a message that comes
/// back.
final class SmokeTest {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final int MOST_BYTES = 1 << 20;
  private static final String TEXT = "does it still work?";

  private SmokeTest() {}

  /// Runs it.
  ///
  /// @throws IOException with the step that failed
  static void run(ServerFiles files) throws IOException {
    for (String path : new String[] {PageModule.PAGE, "/", "/account"}) {
      try (PageConnection connection = new PageConnection(files.port(), path)) {
        int status = connection.status();
        if (status != 200) {
          throw new IOException("the page " + path + " is answered with " + status);
        }
      }
    }
    String page = page(files.port());
    for (String part : new String[] {"Room number", "u0", "Message number"}) {
      if (!page.contains(part)) {
        throw new IOException("the page has no \"" + part + "\"");
      }
    }
    message(files);
  }

  private static String page(int port) throws IOException {
    try (PageConnection connection = new PageConnection(port, PageModule.PAGE)) {
      int _ = connection.status();
      return connection.body();
    }
  }

  /// Logs in (RFC 6120) and sends a message to itself.
  private static void message(ServerFiles files) throws IOException {
    String user = Contents.user(0);
    String header =
        "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' to='"
            + ServerFiles.DOMAIN
            + "' version='1.0'>";
    String plain =
        Base64.getEncoder()
            .encodeToString(
                ("\0" + user + "\0" + Contents.PASSWORD).getBytes(StandardCharsets.UTF_8));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), files.xmpp())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      ask(socket, header, "</stream:features>");
      ask(
          socket,
          "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>" + plain + "</auth>",
          "<success");
      ask(socket, header, "</stream:features>");
      ask(
          socket,
          "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
          "</iq>");
      ask(socket, "<presence/>", "<presence");
      ask(
          socket,
          "<message type='chat' id='m' to='"
              + user
              + "@"
              + ServerFiles.DOMAIN
              + "'><body>"
              + TEXT
              + "</body></message>",
          TEXT);
      ask(socket, "</stream:stream>", "</stream:stream>");
    }
  }

  /// Sends a text and reads until a text has come.
  private static void ask(Socket socket, String text, String wanted) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[8_192];
    StringBuilder received = new StringBuilder();
    while (received.indexOf(wanted) < 0) {
      int count;
      try {
        count = in.read(buffer);
      } catch (IOException e) {
        throw new IOException("no " + wanted + " after " + text + ": " + received, e);
      }
      if (count < 0 || received.length() > MOST_BYTES) {
        throw new IOException("no " + wanted + " after " + text + ": " + received);
      }
      received.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
    }
  }
}
