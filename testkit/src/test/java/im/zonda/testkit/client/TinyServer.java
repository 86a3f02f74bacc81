package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlElement;
import im.zonda.testkit.xml.XmlStreamReading;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import javax.xml.stream.XMLStreamException;

/// A minimal server to test the client: accepts every login, binds the requested resource, and
/// answers each stanza by a function.
public final class TinyServer implements AutoCloseable {
  /// The answer that breaks the connection.
  public static final String CUT = "cut";

  private static final String HEADER =
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client' version='1.0' id='s' from='x'"
          + " xmlns:stream='http://etherx.jabber.org/streams'>";

  private final ServerSocket listening;
  private final Function<XmlElement, String> answers;

  public TinyServer(Function<XmlElement, String> answers) throws IOException {
    this.answers = answers;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /// A client that has bound `jid`.
  public ScriptedClient bound(String jid) throws IOException {
    ScriptedClient client = new ScriptedClient(SocketWire.connect(address()));
    return client.login(Login.of(jid, "secret").withSecurity(Login.Security.NONE));
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      boolean again = true;
      boolean known = false;
      while (again) {
        again = stream(socket, known);
        known = true;
      }
    } catch (IOException | XMLStreamException e) {
      // The client has disconnected; the test decides what that means.
    }
  }

  private boolean stream(Socket socket, boolean known) throws IOException, XMLStreamException {
    XmlStreamReading reading = new XmlStreamReading(socket.getInputStream());
    String domain = String.valueOf(reading.readRoot().attribute("to"));
    String mechanisms =
        "<mechanisms xmlns='" + ScriptedClient.SASL + "'><mechanism>PLAIN</mechanism></mechanisms>";
    write(
        socket.getOutputStream(),
        HEADER + "<stream:features>" + (known ? "" : mechanisms) + "</stream:features>");
    for (XmlElement e = reading.readChild(); e != null; e = reading.readChild()) {
      if (e.localName().equals("auth")) {
        write(socket.getOutputStream(), "<success xmlns='" + ScriptedClient.SASL + "'/>");
        return true;
      }
      XmlElement bind = e.child("bind");
      String answer = bind == null ? answers.apply(e) : bound(bind, domain);
      if (answer.equals(CUT)) {
        return false;
      }
      write(socket.getOutputStream(), answer);
    }
    write(socket.getOutputStream(), "</stream:stream>");
    return false;
  }

  private static String bound(XmlElement bind, String domain) {
    return "<iq type='result' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>romeo@"
        + domain
        + "/"
        + bind.childText("resource")
        + "</jid></bind></iq>";
  }

  private static void write(OutputStream out, String xml) {
    try {
      // Sends in halves, to test partial reads.
      byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
      out.write(bytes, 0, bytes.length / 2);
      out.flush();
      out.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
