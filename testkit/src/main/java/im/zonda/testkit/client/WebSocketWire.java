package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlStreamReading;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSession;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/// A WebSocket (RFC 7395) that looks like a stream on TCP: what is written between two flushes goes
/// out as messages of one element each, and `<open/>` and `<close/>` become the tags of the stream.
public final class WebSocketWire implements Wire {
  private static final String STREAM =
      " xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'";
  private static final String FRAMING = "urn:ietf:params:xml:ns:xmpp-framing";
  private static final Pattern TAG =
      Pattern.compile("<(/?)([^\\s/>]+)(?:'[^']*'|\"[^\"]*\"|[^'\">])*?(/?)>");
  private static final Pattern ATTRIBUTE = Pattern.compile("([\\w:]+)=('[^']*'|\"[^\"]*\")");

  private final SocketWire socket;
  private final DataInputStream frames;
  private final Messages out = new Messages();
  private final Elements in = new Elements();

  private WebSocketWire(SocketWire socket) {
    this.socket = socket;
    this.frames = new DataInputStream(new BufferedInputStream(socket.in()));
  }

  /// Connects with TLS and does the opening handshake.
  ///
  /// @throws IOException if one of them fails
  public static WebSocketWire connect(InetSocketAddress address, String domain) throws IOException {
    SocketWire socket =
        SocketWire.connect(address, List.of("TLSv1.3", "TLSv1.2"), List.of("http/1.1"));
    socket.startTls(domain);
    return open(socket, domain);
  }

  /// Connects without TLS and does the opening handshake.
  ///
  /// @throws IOException if one of them fails
  public static WebSocketWire connectPlain(InetSocketAddress address, String domain)
      throws IOException {
    return open(SocketWire.connect(address), domain);
  }

  private static WebSocketWire open(SocketWire socket, String domain) throws IOException {
    String request =
        "GET /xmpp-websocket HTTP/1.1\r\nHost: "
            + domain
            + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n"
            + "Sec-WebSocket-Protocol: xmpp\r\n\r\n";
    socket.out().write(request.getBytes(StandardCharsets.US_ASCII));
    socket.out().flush();
    WebSocketWire wire = new WebSocketWire(socket);
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("\r\n\r\n") < 0) {
      answer.append((char) wire.frames.readUnsignedByte());
    }
    if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
      throw new IOException("no WebSocket: " + answer);
    }
    return wire;
  }

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  private synchronized void send(int opcode, byte[] payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(0x80 | opcode);
    if (payload.length < 126) {
      frame.write(0x80 | payload.length);
    } else {
      int bytes = payload.length <= 65_535 ? 2 : 8;
      frame.write(0x80 | (bytes == 2 ? 126 : 127));
      for (int i = bytes - 1; i >= 0; i--) {
        frame.write((int) ((long) payload.length >> (8 * i)));
      }
    }
    byte[] mask = {1, 2, 3, 4};
    frame.writeBytes(mask);
    for (int i = 0; i < payload.length; i++) {
      frame.write(payload[i] ^ mask[i & 3]);
    }
    socket.out().write(frame.toByteArray());
    socket.out().flush();
  }

  /// Collects what is written and sends it as messages.
  private final class Messages extends ByteArrayOutputStream {
    @Override
    public void flush() throws IOException {
      String text = toString(StandardCharsets.UTF_8);
      reset();
      if (text.isBlank() && !text.isEmpty()) {
        send(9, new byte[0]); // white space is a keepalive on TCP
        return;
      }
      for (String message : messages(text)) {
        send(1, declared(message).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /// Splits what a client on TCP would send. What is no markup is left as it is.
  static List<String> messages(String text) {
    List<String> all = new ArrayList<>();
    String rest = text.replaceFirst("^\\s*<\\?xml[^>]*\\?>", "");
    Matcher tag = TAG.matcher(rest);
    int start = 0;
    int depth = 0;
    while (tag.find()) {
      boolean end = !tag.group(1).isEmpty();
      if (tag.group(2).equals("stream:stream")) {
        all.add(end ? "<close xmlns='" + FRAMING + "'/>" : open(tag.group()));
        start = tag.end();
        continue;
      }
      depth += end ? -1 : tag.group(3).isEmpty() ? 1 : 0;
      if (depth == 0) {
        all.add(rest.substring(start, tag.end()).strip());
        start = tag.end();
      }
    }
    if (!rest.substring(start).isBlank()) {
      all.add(rest.substring(start));
    }
    return all;
  }

  /// The element with its namespace, which elements on TCP leave to the header of the stream (RFC
  /// 7395, section 3.3.3).
  static String declared(String element) {
    int end = element.indexOf('>');
    String tag = end < 0 ? element : element.substring(0, end);
    return tag.contains(" xmlns=") || !tag.startsWith("<")
        ? element
        : element.replaceFirst("^<([^\\s/>]+)", "<$1 xmlns='jabber:client'");
  }

  private static String open(String header) {
    StringBuilder open = new StringBuilder("<open xmlns='" + FRAMING + "'");
    Matcher attribute = ATTRIBUTE.matcher(header);
    while (attribute.find()) {
      if (!attribute.group(1).startsWith("xmlns")) {
        open.append(' ').append(attribute.group());
      }
    }
    return open.append("/>").toString();
  }

  /// The messages that come, as bytes of a stream.
  private final class Elements extends InputStream {
    private byte[] current = new byte[0];
    private int at;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      while (at == current.length) {
        byte[] next = next();
        if (next == null) {
          return -1;
        }
        current = next;
        at = 0;
      }
      int count = Math.min(length, current.length - at);
      System.arraycopy(current, at, target, offset, count);
      at += count;
      return count;
    }
  }

  private byte @Nullable [] next() throws IOException {
    try {
      int opcode = frames.readUnsignedByte() & 0x0F;
      int form = frames.readUnsignedByte();
      long size = form == 127 ? frames.readLong() : form == 126 ? frames.readUnsignedShort() : form;
      byte[] payload = frames.readNBytes(Math.toIntExact(size));
      return switch (opcode) {
        case 8 -> {
          send(8, payload);
          frames.skipNBytes(Long.MAX_VALUE); // the server closes
          yield null;
        }
        case 9 -> {
          send(10, payload);
          yield new byte[0];
        }
        case 1 ->
            element(new String(payload, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        default -> new byte[0];
      };
    } catch (EOFException e) {
      return null;
    }
  }

  /// @throws IOException if the message is no document: a browser would end the stream
  static String element(String message) throws IOException {
    try {
      XmlStreamReading.checkDocument(message);
    } catch (XMLStreamException e) {
      throw new IOException("no document: " + message, e);
    }
    if (message.startsWith("<open ")) {
      if (!message.contains("xmlns='" + FRAMING + "'") || !message.endsWith("/>")) {
        throw new IOException("not <open/>: " + message);
      }
      String attributes =
          message
              .substring("<open".length(), message.length() - 2)
              .replace(" xmlns='" + FRAMING + "'", "");
      return "<stream:stream" + STREAM + attributes + ">";
    }
    if (message.equals("<close xmlns='" + FRAMING + "'/>")) {
      return "</stream:stream>";
    }
    if (!message.matches("(?s)<[^>]* xmlns(:stream)?=.*")) {
      throw new IOException("an element that does not declare its namespace: " + message);
    }
    return message;
  }

  /// The TCP socket below, for its options.
  public Socket socket() {
    return socket.socket();
  }

  @Override
  public void startTls(String domain) throws IOException {
    throw new IOException("a WebSocket has no STARTTLS");
  }

  @Override
  public @Nullable SSLSession tls() {
    return socket.tls();
  }

  @Override
  public boolean ended() {
    return socket.ended();
  }

  @Override
  public void close() {
    socket.close();
  }

  @Override
  public void abort() {
    socket.abort();
  }
}
