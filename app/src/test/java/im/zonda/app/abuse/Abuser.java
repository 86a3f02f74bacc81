package im.zonda.app.abuse;

import im.zonda.testkit.client.Scram;
import im.zonda.testkit.client.ScriptedClient;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/// A connection that costs its owner little: what the server says is searched for marks, not
/// parsed. Without TLS. Used by one thread.
final class Abuser implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final int READ = 8_192;
  private static final int LONGEST_MARK = 64;

  private final Socket socket = new Socket();
  private final StringBuilder heard = new StringBuilder();
  private final byte[] bytes = new byte[READ];
  private int fences;

  /// Connects.
  ///
  /// @param source the address to connect from; any on systems that have only one for loopback
  /// @param receiveBuffer bytes that the system may take for this end; 0 is its own choice
  Abuser(InetSocketAddress server, InetAddress source, int receiveBuffer) throws IOException {
    try {
      socket.setTcpNoDelay(true);
      if (receiveBuffer > 0) {
        socket.setReceiveBufferSize(receiveBuffer);
      }
      bind(source);
      socket.connect(server, PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void bind(InetAddress source) throws IOException {
    try {
      socket.bind(new InetSocketAddress(source, 0));
    } catch (SocketException e) {
      // The system has no such address; it chooses one when connecting.
      socket.bind(null);
    }
  }

  /// Opens a stream and reads the features.
  Abuser open() throws IOException {
    send(header());
    await("</stream:features>");
    return this;
  }

  /// The header of a stream.
  static String header() {
    return "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='"
        + ScriptedClient.STREAMS
        + "' version='1.0' to='"
        + SmallServer.DOMAIN
        + "'>";
  }

  /// Authenticates by SCRAM-SHA-1 and opens the next stream.
  ///
  /// @param keys salted passwords of earlier logins
  Abuser authenticate(String user, String password, Map<String, byte[]> keys) throws IOException {
    String nonce = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Scram scram = new Scram("SHA-1", "n,,", new byte[0], user, nonce).keeping(keys);
    send(
        "<auth xmlns='"
            + ScriptedClient.SASL
            + "' mechanism='SCRAM-SHA-1'>"
            + encoded(scram.first())
            + "</auth>");
    String challenge = await("</challenge>");
    send(
        "<response xmlns='"
            + ScriptedClient.SASL
            + "'>"
            + encoded(scram.last(decoded(challenge), password))
            + "</response>");
    await("</success>");
    return open();
  }

  /// Binds that resource.
  Abuser bind(String resource) throws IOException {
    send(
        "<iq type='set' id='bind'><bind xmlns='"
            + ScriptedClient.BIND
            + "'><resource>"
            + resource
            + "</resource></bind></iq>");
    String answer = await("</iq>");
    if (!answer.contains("</jid>")) {
      throw new IOException("not bound: " + answer);
    }
    return this;
  }

  /// Sends XML as it is.
  void send(String xml) throws IOException {
    send(xml.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends bytes as they are.
  void send(byte[] content) throws IOException {
    socket.getOutputStream().write(content);
  }

  /// Reads until that has come; what was read up to there.
  ///
  /// @throws EOFException if the server refuses instead or closes the connection
  String await(String mark) throws IOException {
    int searched = 0;
    while (true) {
      int at = heard.indexOf(mark, searched);
      if (at >= 0) {
        String text = heard.substring(0, at + mark.length());
        heard.delete(0, at + mark.length());
        return text;
      }
      boolean over =
          heard.indexOf("</failure>", searched) >= 0
              || heard.indexOf("</stream:error>", searched) >= 0;
      int count = over ? -1 : socket.getInputStream().read(bytes);
      if (count < 0) {
        throw new EOFException("refused: " + heard.substring(Math.max(0, heard.length() - 500)));
      }
      searched = Math.max(0, heard.length() - LONGEST_MARK);
      heard.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
    }
  }

  /// Sends a request to that address and reads until it has answered, so that it has handled all
  /// earlier stanzas.
  void fence(String address) throws IOException {
    String id = "fence-" + fences++;
    send("<iq type='get' id='" + id + "' to='" + address + "'><ping xmlns='urn:xmpp:ping'/></iq>");
    await(id);
  }

  /// Reads from now on whatever comes, on a thread of its own.
  void discardInput() {
    heard.setLength(0);
    Thread.ofVirtual()
        .name("abuser")
        .start(() -> {
          try {
            socket.setSoTimeout(0);
            InputStream in = socket.getInputStream();
            while (in.read(bytes) >= 0) {
              // Nothing in it matters.
            }
          } catch (IOException e) {
            // The connection has ended.
          }
        });
  }

  /// Cuts the connection without closing the stream.
  @Override
  public void close() throws IOException {
    // A reset leaves no port behind that waits for late packets.
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String element) {
    int end = element.lastIndexOf("</");
    String data = element.substring(element.lastIndexOf('>', end) + 1, end);
    return new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
  }
}
