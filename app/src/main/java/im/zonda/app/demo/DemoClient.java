package im.zonda.app.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// A client that logs in over direct TLS, sends stanzas that are text, and accepts everyone as a
/// contact. Only for a server on this machine: it trusts any certificate.
final class DemoClient implements AutoCloseable {
  private final XMLInputFactory parsers = parsers();

  private final String user;
  private final SSLSocket socket;
  private final OutputStream out;

  private DemoClient(String user, SSLSocket socket) throws IOException {
    this.user = user;
    this.socket = socket;
    this.out = socket.getOutputStream();
  }

  /// Logs in and binds a resource.
  ///
  /// @param port of direct TLS at the loopback address
  /// @throws IOException if that is not possible
  static DemoClient connect(int port, String user, String domain, String password)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            trustAll().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    DemoClient client = new DemoClient(user, socket);
    try {
      client.logIn(domain, password);
      return client;
    } catch (IOException | XMLStreamException e) {
      socket.close();
      throw new IOException(user + " could not log in", e);
    }
  }

  private void logIn(String domain, String password) throws IOException, XMLStreamException {
    InputStream in = socket.getInputStream();
    openStream(domain);
    await(parsers.createXMLStreamReader(in), "features");
    byte[] secret = ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
    send(
        "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
            + Base64.getEncoder().encodeToString(secret)
            + "</auth>");
    // The document has only begun: what follows the answer comes with a stream of its own.
    readAnswer(in);
    openStream(domain);
    XMLStreamReader stanzas = parsers.createXMLStreamReader(in);
    await(stanzas, "features");
    send(
        "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
            + "<resource>demo</resource></bind></iq>");
    await(stanzas, "bind");
    Thread.ofVirtual().name("demo-" + user).start(() -> answer(stanzas));
  }

  private void openStream(String domain) throws IOException {
    send(
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' version='1.0' to='"
            + domain
            + "' xmlns:stream='http://etherx.jabber.org/streams'>");
  }

  private static void readAnswer(InputStream in) throws IOException {
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf(">") < 0) {
      int next = in.read();
      if (next < 0 || answer.length() > 1_000) {
        throw new IOException("no answer to the login");
      }
      answer.append((char) next);
    }
    if (!answer.toString().contains("<success")) {
      throw new IOException("the login was refused: " + answer);
    }
  }

  private static void await(XMLStreamReader reader, String element)
      throws XMLStreamException, IOException {
    while (reader.hasNext()) {
      if (reader.next() == XMLStreamConstants.END_ELEMENT
          && reader.getLocalName().equals(element)) {
        return;
      }
    }
    throw new IOException("the stream ended");
  }

  /// Reads until the stream ends; answers requests and accepts contacts.
  private void answer(XMLStreamReader reader) {
    try {
      int depth = 2; // within the answer to the request to bind
      while (reader.hasNext()) {
        int event = reader.next();
        if (event == XMLStreamConstants.END_ELEMENT) {
          depth--;
        } else if (event == XMLStreamConstants.START_ELEMENT && depth++ == 1) {
          answerStanza(
              reader.getLocalName(),
              value(reader, "type"),
              value(reader, "from"),
              value(reader, "id"));
        }
      }
    } catch (IOException | XMLStreamException e) {
      close(); // the server has stopped, or this client has
    }
  }

  private static String value(XMLStreamReader reader, String name) {
    String value = reader.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  private void answerStanza(String name, String type, String from, String id) throws IOException {
    if (name.equals("presence") && type.equals("subscribe")) {
      send("<presence type='subscribed' to='" + text(from) + "'/>");
    } else if (name.equals("iq") && (type.equals("get") || type.equals("set"))) {
      send(
          "<iq type='error' id='"
              + text(id)
              + (from.isEmpty() ? "" : "' to='" + text(from))
              + "'><error type='cancel'><service-unavailable"
              + " xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>");
    }
  }

  /// Sends XML.
  synchronized void send(String xml) throws IOException {
    out.write(xml.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /// A value as it stands in XML, also within quotation marks.
  static String text(String value) {
    return value
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("'", "&apos;")
        .replace("\"", "&quot;");
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static XMLInputFactory parsers() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory;
  }

  private static SSLContext trustAll() {
    TrustManager all =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {all}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }
}
