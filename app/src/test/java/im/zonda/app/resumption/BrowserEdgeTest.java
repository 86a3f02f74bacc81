package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.GuestAddress;
import im.zonda.app.StandardModules;
import im.zonda.config.Guests;
import im.zonda.config.Services;
import im.zonda.jid.Jid;
import im.zonda.net.Listener;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestEdge;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients on WebSockets and by BOSH at an edge: they stay connected as those by TCP do, and nobody
/// logs in without TLS.
final class BrowserEdgeTest {
  private static final String ROMEO = "romeo@example.org/orchard";
  private static final String JULIET = "juliet@example.org/balcony";

  @TempDir private Path data = Path.of("");
  private TestServer server;
  private TestEdge edge;
  private int port;

  @BeforeEach
  void start() throws IOException {
    Guests guests = new Guests(true, true, true, 100, 100, 0);
    server =
        ServerPlan.of(StandardModules::create)
            .withData(data)
            .with("services", Services.DEFAULTS.with(guests))
            .startOnSockets();
    server.accounts(List.of(ROMEO, JULIET));
    port = server.acceptEdges(0);
    edge = server.newEdge(port);
  }

  @AfterEach
  void stop() {
    edge.close();
    server.close();
  }

  private void restart(boolean withSessions) throws IOException {
    server.close();
    if (!withSessions) {
      Files.delete(data.resolve("sessions")); // as after a crash
    }
    server = server.restart();
    server.acceptEdges(port);
  }

  private Managed online(ServerPlan.Access access, String address) throws IOException {
    return Managed.enable(edge.connect(access, address)).available();
  }

  private static void chat(Managed from, String to, String body) {
    from.client().send("<message type='chat' to='" + to + "'><body>" + body + "</body></message>");
  }

  private static void talk(Managed romeo, Managed juliet, String word) {
    chat(romeo, JULIET, word);
    assertThat(juliet.nextBody()).isEqualTo(word);
    chat(juliet, ROMEO, "answer to " + word);
    assertThat(romeo.nextBody()).isEqualTo("answer to " + word);
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerPlan.Access.class,
      names = {"EDGE_WEBSOCKET", "EDGE_BOSH"})
  void clientsStayConnectedWhileTheCoreIsAway(ServerPlan.Access access) throws IOException {
    try (Managed romeo = online(access, ROMEO);
        Managed juliet = online(ServerPlan.Access.EDGE, JULIET)) {
      talk(romeo, juliet, "one");
      edge.cutCores();
      talk(romeo, juliet, "two");
      restart(true);
      talk(romeo, juliet, "three");
      assertThat(romeo.handled()).isEqualTo(4); // and the presence; or it would be sent again
      assertThat(juliet.handled()).isEqualTo(4);
      restart(false);
      talk(romeo, juliet, "four");
      assertThat(romeo.handled()).isEqualTo(5);
    }
  }

  private ScriptedClient guest(ServerPlan.Access access) throws IOException {
    ScriptedClient guest = new ScriptedClient(edge.wire(access, "example.org")).open("example.org");
    if (access == ServerPlan.Access.EDGE) {
      guest.startTls("example.org");
    }
    guest.send("<auth xmlns='" + ScriptedClient.SASL + "' mechanism='ANONYMOUS'/>");
    assertThat(guest.receive().is(ScriptedClient.SASL, "success")).isTrue();
    guest.open("example.org").bind(null);
    assertThat(GuestAddress.isGuest(Jid.of(guest.jid()))).as(guest.jid()).isTrue();
    return guest;
  }

  private static void says(ScriptedClient from, String room, String body, ScriptedClient to) {
    from.send("<message type='groupchat' to='" + room + "'><body>" + body + "</body></message>");
    to.receiveFirst(e -> e.localName().equals("message") && body.equals(e.childText("body")));
  }

  /// XEP-0175: the edge passes the login on, and the session without an account moves to it.
  @ParameterizedTest
  @EnumSource(
      value = ServerPlan.Access.class,
      names = {"EDGE", "EDGE_WEBSOCKET", "EDGE_BOSH"})
  void aGuestEntersARoom(ServerPlan.Access access) throws IOException {
    String room = "coven@rooms.example.org";
    String join = "<x xmlns='http://jabber.org/protocol/muc'/></presence>";
    try (Managed romeo = online(ServerPlan.Access.EDGE, ROMEO);
        ScriptedClient guest = guest(access)) {
      romeo.client().send("<presence to='" + room + "/romeo'>" + join);
      romeo.client().receiveFirst(e -> e.localName().equals("message")); // the subject
      romeo
          .client()
          .send(
              "<iq type='set' id='unlock' to='"
                  + room
                  + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
                  + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
      romeo.client().receiveFirst(e -> "unlock".equals(e.attribute("id")));
      guest.send("<presence/><presence to='" + room + "/guest'>" + join);
      guest.receiveFirst(e -> (room + "/romeo").equals(e.attribute("from")));
      says(guest, room, "said by a guest", romeo.client());
      says(romeo.client(), room, "said to a guest", guest);
      assertThat(edge.streams()).isEqualTo(2);
    }
  }

  // ---- without TLS

  private String exchange(String from, String request) throws IOException {
    InetSocketAddress http = edge.address(Listener.Kind.HTTP);
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(http);
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder all = new StringBuilder();
      while (all.indexOf("</stream:error>") < 0 && all.indexOf("</stream:features>") < 0) {
        int next = socket.getInputStream().read();
        if (next < 0) {
          break;
        }
        all.append((char) next);
      }
      return all.toString();
    }
  }

  private String webSocket(String from, String fields) throws IOException {
    String open =
        "<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' to='example.org' version='1.0'/>";
    String request =
        """
        GET /xmpp-websocket HTTP/1.1\r
        Host: any.example\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Protocol: xmpp\r
        """;
    // A frame with a mask of zeros.
    String frame = "\u0001" + (char) open.length() + "\0\0\0\0" + open;
    byte[] bytes = frame.getBytes(StandardCharsets.US_ASCII);
    bytes[0] = (byte) 0x81;
    bytes[1] |= (byte) 0x80;
    return exchange(
        from, request + fields + "\r\n" + new String(bytes, StandardCharsets.ISO_8859_1));
  }

  private String bosh(String from, String fields) throws IOException {
    String body =
        "<body xmlns='http://jabber.org/protocol/httpbind' rid='1' to='example.org' wait='5'"
            + " hold='1' ver='1.11' xmpp:version='1.0' xmlns:xmpp='urn:xmpp:xbosh'/>";
    return exchange(
        from,
        "POST /http-bind HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n"
            + fields
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  @Test
  void row33_noOneLogsInWithoutTls() throws IOException {
    assertThat(webSocket("127.0.0.1", ""))
        .contains("policy-violation")
        .doesNotContain("mechanisms");
    assertThat(bosh("127.0.0.1", "")).contains("policy-violation").doesNotContain("mechanisms");
    // What anyone says of TLS is not believed.
    assertThat(webSocket("127.0.0.1", "X-Forwarded-Proto: https\r\n")).contains("policy-violation");
  }

  @Test
  void aTrustedProxyMayEndTls() throws IOException {
    String fields = "X-Forwarded-For: 198.51.100.4\r\nX-Forwarded-Proto: https\r\n";
    assertThat(webSocket(TestEdge.PROXY, fields)).contains("<mechanisms");
    assertThat(bosh(TestEdge.PROXY, fields))
        .contains("<mechanisms", "from='example.org'", "authid='");
  }

  @Test
  void balancersAreToldWhetherTheEdgeHasACore() throws IOException {
    Eventually.await("a core", () -> health("ready").equals("HTTP/1.1 200 OK ok"));
    server.close();
    Eventually.await(
        "no core", () -> health("ready").equals("HTTP/1.1 503 Service Unavailable core"));
    assertThat(health("live")).isEqualTo("HTTP/1.1 200 OK ok");
    server = server.restart();
    server.acceptEdges(port);
    Eventually.await("a core again", () -> health("ready").equals("HTTP/1.1 200 OK ok"));
  }

  /// The first and the last line of the answer.
  private String health(String what) {
    try {
      List<String> lines =
          exchange(
                  "127.0.0.1",
                  "GET /health/" + what + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
              .lines()
              .toList();
      return lines.getFirst() + " " + lines.getLast();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nothingElseIsServed() throws IOException {
    assertThat(exchange("127.0.0.1", "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 404 ");
  }
}
