package im.zonda.app.uploads;

import im.zonda.app.browser.ProductServer;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;

/// Asks for slots (XEP-0363) and uploads to them, by HTTP on this machine. For one thread.
final class Uploader implements AutoCloseable {
  private static final String NAMESPACE = "urn:xmpp:http:upload:0";

  private final ProductServer server;
  private final ScriptedClient client;
  private final HttpClient http = HttpClient.newHttpClient();

  Uploader(ProductServer server, String name, String password) throws IOException {
    this.server = server;
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort());
    this.client =
        new ScriptedClient(SocketWire.connect(address))
            .login(
                Login.of(name + "@localhost/up", password)
                    .withSecurity(Login.Security.NONE)
                    .withMechanism("SCRAM-SHA-1"));
  }

  /// A slot: the paths to upload to and to download from.
  record Slot(String put, String get) {}

  /// Asks for a slot.
  Slot slot(String name, long size) {
    client.send(
        "<iq type='get' id='slot' to='upload.localhost'><request xmlns='"
            + NAMESPACE
            + "' filename='"
            + name
            + "' size='"
            + size
            + "'/></iq>");
    XmlElement answer = client.receive();
    while (!"slot".equals(answer.attribute("id"))) {
      answer = client.receive();
    }
    XmlElement slot = Objects.requireNonNull(answer.child(NAMESPACE, "slot"), answer.toString());
    return new Slot(path(slot, "put"), path(slot, "get"));
  }

  private static String path(XmlElement slot, String which) {
    XmlElement url = Objects.requireNonNull(slot.child(NAMESPACE, which));
    String text = Objects.requireNonNull(url.attribute("url"));
    return text.substring(text.indexOf("/upload/"));
  }

  /// Uploads a content and returns the status of the answer.
  int put(Slot slot, HttpRequest.BodyPublisher content) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.plain() + slot.put())).PUT(content).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  @Override
  public void close() {
    http.shutdownNow();
    client.close();
  }
}
