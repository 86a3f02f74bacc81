package im.zonda.app.metric;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.component.Components;
import im.zonda.stanza.Namespaces;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestEdge;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How long messages take is measured whatever way they leave the server by.
@Timeout(60)
class StagesTest {
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.org";
  private static final String COMPONENT = "gateway.example.org";
  private static final String SECRET = "component secret";

  @TempDir private Path data;

  @SuppressWarnings("NullAway.Init") // the folder is set before each test
  StagesTest() {}

  private static ScriptedClient available(ScriptedClient client) {
    client.send("<presence/>");
    client.fence("here");
    return client;
  }

  private static void chats(ScriptedClient from, String to, ScriptedClient receiver) {
    from.send("<message type='chat' to='%s' id='m1'><body>b</body></message>".formatted(to));
    receiver.receiveFirst(each -> "m1".equals(each.attribute("id")));
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerPlan.Access.class,
      names = {"DIRECT", "WEBSOCKET", "BOSH"})
  void toAClient(ServerPlan.Access access) throws IOException {
    try (TestServer server =
        ServerPlan.of(StandardModules::create).withData(data).withAccess(access).startOnSockets()) {
      server.accounts(List.of(ROMEO, JULIET));
      ScriptedClient juliet = available(server.connect(JULIET + "/x"));
      assertThat(server.written(Namespaces.CLIENT).count()).isZero();
      chats(server.connect(ROMEO + "/r"), JULIET, juliet);
      Eventually.await(
          "the message was measured", () -> server.written(Namespaces.CLIENT).count() == 1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerPlan.Access.class,
      names = {"EDGE", "EDGE_WEBSOCKET", "EDGE_BOSH"})
  void toAClientAtAnEdge(ServerPlan.Access access) throws IOException {
    try (TestServer server =
            ServerPlan.of(StandardModules::create).withData(data).startOnSockets();
        TestEdge edge = server.newEdge(server.acceptEdges(0))) {
      server.accounts(List.of(ROMEO, JULIET));
      try (ScriptedClient juliet = available(edge.connect(access, JULIET + "/x"))) {
        chats(server.connect(ROMEO + "/r"), JULIET, juliet);
        Eventually.await(
            "both have measured their part",
            () ->
                server.edgeTimes().toEdges().counts().count() == 1
                    && server.edgeTimes().atEdges().counts().count() == 1);
        assertThat(server.written(Namespaces.CLIENT).count()).isZero();
      }
    }
  }

  @Test
  void toAComponentAndFromOne() throws IOException {
    Components components =
        new Components(List.of(), Duration.ofMinutes(1), 400_000, 4, Map.of(COMPONENT, SECRET));
    try (TestServer server =
        ServerPlan.of(StandardModules::create)
            .withData(data)
            .with("component", components)
            .startOnSockets()) {
      server.accounts(List.of(ROMEO, JULIET));
      ScriptedClient gateway = server.component(COMPONENT, SECRET);
      ScriptedClient romeo = available(server.connect(ROMEO + "/r"));
      chats(romeo, "bot@" + COMPONENT, gateway);
      Eventually.await(
          "the way to it was measured", () -> server.written(Namespaces.COMPONENT).count() == 1);
      assertThat(server.written(Namespaces.CLIENT).count()).isZero();
      gateway.send(
          "<message type='chat' from='bot@%s' to='%s' id='a'><body>b</body></message>"
              .formatted(COMPONENT, ROMEO));
      romeo.receiveFirst(each -> "a".equals(each.attribute("id")));
      Eventually.await(
          "the way from it was measured", () -> server.written(Namespaces.CLIENT).count() == 1);
    }
  }
}
