package im.zonda.app.federation;

import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.ClientTls;
import im.zonda.stanza.Namespaces;
import im.zonda.stream.StreamXml;
import im.zonda.stream.TlsStart;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.FrameHandler;
import im.zonda.xml.framing.XmppFramer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// A stream to another server that is read step by step, by the thread that calls. Every method may
/// block, all together no longer than [#TIME].
final class ServerConversation implements FrameHandler, AutoCloseable {
  private static final Duration TIME = Duration.ofSeconds(30);

  private final InstantSource clock;
  private final long deadline;
  private final Deque<Element> received = new ArrayDeque<>();
  private final XmppFramer framer = new XmppFramer(XmlLimits.CLIENT, this);
  private Socket socket;
  private boolean ended;
  private @Nullable StreamHeader header;

  /// @param socket a socket that is connected
  ServerConversation(Socket socket, InstantSource clock) {
    this.socket = socket;
    this.clock = clock;
    this.deadline = clock.millis() + TIME.toMillis();
  }

  @Override
  public void onStreamOpen(StreamHeader opened) {
    header = opened;
  }

  @Override
  public void onFrame(Frame frame) {
    received.add(frame.toElement());
  }

  @Override
  public void onStreamClose() {
    ended = true;
  }

  /// Opens the stream, or opens it again after TLS and SASL; returns the features.
  Element open(String from, String to) throws IOException {
    received.clear();
    framer.reset();
    header = null;
    write(
        "<?xml version='1.0'?><stream:stream xmlns='jabber:server' xmlns:stream='"
            + Namespaces.STREAM
            + "' xmlns:db='"
            + StreamXml.DIALBACK
            + "' from='"
            + from
            + "' to='"
            + to
            + "' version='1.0'>");
    Element features = read();
    if (!features.name().name().equals("features")) {
      throw new IOException("it has sent " + features.name().name() + " in place of features");
    }
    return features;
  }

  /// The identifier that the other server has given the stream.
  @Nullable String id() {
    return header == null ? null : header.attribute("id");
  }

  void send(Element element) throws IOException {
    ByteArraySink sink = new ByteArraySink(256);
    StreamXml.writeElement(element, Namespaces.SERVER, sink);
    socket.getOutputStream().write(sink.toByteArray());
  }

  private void write(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The next element.
  ///
  /// @throws IOException with a clause for the administrator if none comes, or a stream error
  Element read() throws IOException {
    byte[] buffer = new byte[8_192];
    InputStream in = socket.getInputStream();
    while (received.isEmpty()) {
      long left = deadline - clock.millis();
      if (left <= 0) {
        throw new IOException("it does not answer in time");
      }
      socket.setSoTimeout((int) left);
      try {
        int length = ended ? -1 : in.read(buffer);
        if (length < 0) {
          throw new IOException("it has closed the connection");
        }
        framer.feed(buffer, 0, length);
      } catch (SocketTimeoutException e) {
        throw new IOException("it does not answer in time", e);
      } catch (XmlException e) {
        throw new IOException("what it sends is no XMPP: " + e.getMessage(), e);
      }
    }
    Element next = received.remove();
    if (next.name().namespace().equals(Namespaces.STREAM) && next.name().name().equals("error")) {
      throw new IOException("it ends the stream with the error " + describe(next));
    }
    return next;
  }

  /// The conditions and texts in an error or failure.
  static String describe(Element failure) {
    StringBuilder text = new StringBuilder();
    for (Element each : failure.children()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(each.name().name().equals("text") ? each.text() : each.name().name());
    }
    return text.isEmpty() ? "without a reason" : text.toString();
  }

  /// Starts TLS on the connection.
  ClientTls startTls(Certificates certificates, TlsStart start) throws IOException {
    socket.setSoTimeout((int) Math.max(1, deadline - clock.millis()));
    ClientTls tls = certificates.handshake(socket, start);
    socket = tls.socket();
    return tls;
  }

  /// Closes the stream, then the connection.
  @Override
  public void close() throws IOException {
    try (Socket closing = socket) {
      if (header != null && !closing.isClosed()) {
        write("</stream:stream>");
      }
    }
  }
}
