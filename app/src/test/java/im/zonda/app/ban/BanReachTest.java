package im.zonda.app.ban;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.operation.ServerOperations;
import im.zonda.host.XmppServer;
import im.zonda.module.Scheduler;
import im.zonda.net.Listener;
import im.zonda.operation.Caller;
import im.zonda.operation.Outcome;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.SeededIds;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestEdge;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Bans hold at every node of a cluster and at edges, without waiting for the next look.
@Timeout(60)
class BanReachTest {
  private static final String NETWORK = "198.51.100.0/24";

  private static final ServerRuntime RUNTIME =
      new ServerRuntime(
          InstantSource.system(),
          (_, _) -> () -> {},
          new SeededIds(1),
          new SecureRandom(),
          Runnable::run);

  /// A server that enforces bans.
  private record Banning(XmppServer server, ServerOperations administration) {
    static Banning at(TestServer started) {
      ServerOperations operations =
          ServerOperations.over(started.server(), started.stores(), RUNTIME);
      Scheduler.Cancellable _ =
          BanOperations.enforce(started.server(), started.stores()::keyValues, RUNTIME);
      return new Banning(started.server(), operations);
    }

    void add() {
      BanOperations.New ban = new BanOperations.New(NETWORK, null, null);
      assertThat(administration.operations().run(Caller.owner("root"), BanOperations.ADD, ban))
          .isInstanceOf(Outcome.Done.class);
    }

    void remove() {
      BanOperations.Chosen chosen = new BanOperations.Chosen(NETWORK);
      assertThat(
              administration.operations().run(Caller.owner("root"), BanOperations.REMOVE, chosen))
          .isInstanceOf(Outcome.Done.class);
    }

    List<String> known() {
      return server.streams().sasl().throttle().banned().networks();
    }
  }

  @Test
  void everyNodeLearnsOfABan() throws IOException {
    try (TestCluster cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3)) {
      List<Banning> nodes =
          cluster.members().stream().map(each -> Banning.at(cluster.server(each))).toList();
      nodes.get(1).add();
      for (Banning each : nodes) {
        Eventually.await("the ban", () -> each.known().equals(List.of(NETWORK)));
      }
      nodes.get(2).remove();
      for (Banning each : nodes) {
        Eventually.await("no ban", () -> each.known().isEmpty());
      }
    }
  }

  @Test
  void clientsOfEdgesAreDisconnectedAndRefused(@TempDir Path data) throws IOException {
    try (TestServer server =
        ServerPlan.of(StandardModules::create).withData(data).startOnSockets()) {
      Banning core = Banning.at(server);
      int port = server.acceptEdges(0);
      try (TestEdge edge = server.newEdge(port);
          Socket client = webSocket(edge);
          Socket session = boshSession(edge)) {
        await(client, "<mechanisms");
        await(session, "<mechanisms");
        core.add();
        await(client, "<policy-violation");
        try (Socket again = webSocket(edge);
            Socket created = boshSession(edge)) {
          await(again, "HTTP/1.1 403");
          await(created, "HTTP/1.1 403");
        }
        edge.cutCores();
        Eventually.await("the core again", () -> server.edges() == 1);
        try (Socket again = webSocket(edge)) {
          await(again, "HTTP/1.1 403");
        }
        core.remove();
        Eventually.await("an accepted client", () -> isAccepted(edge));
      }
    }
  }

  private static boolean isAccepted(TestEdge edge) throws IOException {
    try (Socket client = webSocket(edge)) {
      return client.getInputStream().readNBytes(12)[9] == '1';
    }
  }

  /// A client behind the edge's proxy opens a stream on a WebSocket.
  private static Socket webSocket(TestEdge edge) throws IOException {
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
    String frame = "\u0081" + (char) (open.length() | 0x80) + "\0\0\0\0" + open;
    return send(edge, request, frame);
  }

  /// The same by BOSH.
  private static Socket boshSession(TestEdge edge) throws IOException {
    String body =
        "<body xmlns='http://jabber.org/protocol/httpbind' rid='1' to='example.org' wait='5'"
            + " hold='1' ver='1.11' xmpp:version='1.0' xmlns:xmpp='urn:xmpp:xbosh'/>";
    return send(
        edge,
        "POST /http-bind HTTP/1.1\r\nHost: any.example\r\nContent-Length: "
            + body.length()
            + "\r\n",
        body);
  }

  private static Socket send(TestEdge edge, String head, String body) throws IOException {
    InetSocketAddress http = edge.address(Listener.Kind.HTTP);
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(TestEdge.PROXY, 0));
    socket.connect(http);
    socket.setSoTimeout(20_000);
    String fields = "X-Forwarded-For: 198.51.100.4\r\nX-Forwarded-Proto: https\r\n\r\n";
    socket.getOutputStream().write((head + fields + body).getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  private static void await(Socket socket, String text) throws IOException {
    StringBuilder all = new StringBuilder();
    while (all.indexOf(text) < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as("closed after %s", all).isNotNegative();
      all.append((char) next);
    }
  }
}
