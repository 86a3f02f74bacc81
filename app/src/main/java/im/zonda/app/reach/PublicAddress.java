package im.zonda.app.reach;

import im.zonda.app.finding.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// An address at which DNS says that a host is reached, and an attempt to connect as others do.
///
/// @param host the host, as A-labels, which the certificate must name
/// @param use what connects there
/// @param name the server that DNS names
/// @param address one of its addresses
/// @param port the port
record PublicAddress(String host, Use use, String name, InetAddress address, int port) {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int MOST_ANSWER = 16_384;
  private static final String TLS = "urn:ietf:params:xml:ns:xmpp-tls";

  /// What connects.
  enum Use {
    CLIENTS("clients", "jabber:client", false),
    CLIENTS_TLS("clients with direct TLS", "jabber:client", true),
    SERVERS("other servers", "jabber:server", false),
    SERVERS_TLS("other servers with direct TLS", "jabber:server", true),
    BROWSERS("browsers", "", true);

    private final String word;
    private final String namespace;
    private final boolean direct;

    Use(String word, String namespace, boolean direct) {
      this.word = word;
      this.namespace = namespace;
      this.direct = direct;
    }

    /// The words for it.
    String word() {
      return word;
    }
  }

  private String where() {
    return name + " (" + address.getHostAddress() + ") port " + port;
  }

  /// Connects, and begins TLS with a check of the certificate. Blocks for some seconds at most.
  ///
  /// @param router whether its address can be the one of a router before this machine
  List<Finding> check(SSLSocketFactory factory, boolean router) {
    List<Finding> findings = new ArrayList<>();
    boolean connected = false;
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
      connected = true;
      socket.setSoTimeout(CONNECT_MILLIS);
      findings.add(Finding.ok(use.word(), where() + " accepts connections"));
      if (!use.direct && !beginTls(socket, findings)) {
        return findings;
      }
      handshake(socket, factory, findings);
    } catch (IOException e) {
      findings.add(unreached(e, connected, router));
    }
    return findings;
  }

  private Finding unreached(IOException e, boolean connected, boolean router) {
    String why =
        e instanceof SocketTimeoutException ? "no answer in time" : String.valueOf(e.getMessage());
    if (router && !connected) {
      // The machine has no public address: the one in DNS is its router's.
      return Finding.problem(
          use.word(),
          where()
              + ": "
              + why
              + ". This look from the server itself may fail although strangers get in: the address"
              + " is that of a router, and many do not turn their own address back inside (hairpin"
              + " NAT)",
          "try it from another network, such as a phone without Wi-Fi",
          "if strangers do not get in either: forward port " + port + " to this machine");
    }
    return Finding.problem(
        use.word(),
        where() + ": " + why,
        "let port " + port + " through the firewall of this machine and of the network",
        "behind a router: forward the port to this machine");
  }

  /// Asks for TLS on a stream; false, and a finding, if it is not offered.
  private boolean beginTls(Socket socket, List<Finding> findings) throws IOException {
    send(
        socket,
        "<?xml version='1.0'?><stream:stream to='"
            + host
            + "' version='1.0' xmlns='"
            + use.namespace
            + "' xmlns:stream='http://etherx.jabber.org/streams'>");
    String features = readTo(socket.getInputStream(), "</stream:features>");
    if (!features.contains(TLS)) {
      findings.add(Finding.problem(use.word(), where() + " does not offer TLS"));
      return false;
    }
    send(socket, "<starttls xmlns='" + TLS + "'/>");
    String answer = readTo(socket.getInputStream(), ">");
    if (!answer.contains("proceed")) {
      findings.add(Finding.problem(use.word(), where() + " does not begin TLS"));
      return false;
    }
    return true;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  /// What comes up to some text. Not more is read: TLS follows.
  private static String readTo(InputStream in, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.length() < MOST_ANSWER) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the connection was closed");
      }
      text.append((char) next);
      if (next == '>' && (text.toString().endsWith(end) || text.indexOf("</stream:stream>") >= 0)) {
        return text.toString();
      }
    }
    throw new IOException("it does not speak XMPP");
  }

  private void handshake(Socket socket, SSLSocketFactory factory, List<Finding> findings)
      throws IOException {
    try (SSLSocket tls = (SSLSocket) factory.createSocket(socket, host, port, true)) {
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(host)));
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      tls.setSSLParameters(parameters);
      tls.startHandshake();
      findings.add(
          Finding.ok(
              use.word(), tls.getSession().getProtocol() + ", certificate accepted for " + host));
    } catch (SSLException e) {
      findings.add(
          Finding.problem(
              use.word(),
              where() + ": others do not accept the certificate for " + host + ": " + reason(e),
              "get a certificate of an authority that others know (step Certificate)"));
    }
  }

  /// The innermost reason, which is the one in words.
  private static String reason(SSLException e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return String.valueOf(inner.getMessage());
  }
}
