package im.zonda.app.journal;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestEdge;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Why messages to people whose clients are connected to an edge do not arrive.
@Timeout(60)
class WhyOverEdgeTest {
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.org";

  @TempDir private Path data;
  private TestServer server;
  private TestEdge edge;
  private Inquiry inquiry;

  @SuppressWarnings("NullAway.Init") // set before each test
  WhyOverEdgeTest() {}

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withData(data).startOnSockets();
    server.accounts(List.of(ROMEO, JULIET));
    edge = server.newEdge(server.acceptEdges(0));
    inquiry = new Inquiry(server, "example.org", () -> {});
  }

  @AfterEach
  void stop() {
    edge.close();
    server.close();
  }

  private ScriptedClient juliet(ServerPlan.Access access, String first) throws IOException {
    ScriptedClient client = edge.connect(access, JULIET + "/x");
    client.send(first);
    client.send("<presence/>");
    client.fence("here");
    return client;
  }

  private void romeoSays() throws IOException {
    try (ScriptedClient romeo = edge.connect(ServerPlan.Access.EDGE, ROMEO + "/r")) {
      romeo.send("<message type='chat' to='%s' id='m1'><body>b</body></message>".formatted(JULIET));
      romeo.fence("said");
    }
  }

  private void awaitCause(String cause) {
    Eventually.await(
        "the cause is " + cause, () -> inquiry.why(ROMEO, JULIET).getFirst().equals(cause));
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerPlan.Access.class,
      names = {"EDGE", "EDGE_WEBSOCKET", "EDGE_BOSH"})
  void theMessageWasDelivered(ServerPlan.Access access) throws IOException {
    try (ScriptedClient juliet = juliet(access, "")) {
      romeoSays();
      juliet.receiveFirst(each -> "m1".equals(each.attribute("id")));
      awaitCause("delivered");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerPlan.Access.class,
      names = {"EDGE", "EDGE_WEBSOCKET", "EDGE_BOSH"})
  void theSenderIsBlocked(ServerPlan.Access access) throws IOException {
    String blocks =
        "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'><item jid='%s'/></block></iq>"
            .formatted(ROMEO);
    try (ScriptedClient _ = juliet(access, blocks)) {
      romeoSays();
      awaitCause("blocked-by-receiver");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerPlan.Access.class,
      names = {"EDGE", "EDGE_WEBSOCKET"})
  void theDeviceHasLostItsConnection(ServerPlan.Access access) throws IOException {
    juliet(access, "<enable xmlns='urn:xmpp:sm:3' resume='true'/>").drop();
    Eventually.await(
        "the session has no stream",
        () -> server.server().router().sessions().counts().detached() == 1);
    romeoSays();
    awaitCause("session-detached");
  }
}
