package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestEdge;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that are connected to an edge while its connection to the core breaks or the core is
/// started again.
final class EdgeRestartTest {
  private static final String ROMEO = "romeo@example.org/orchard";
  private static final String JULIET = "juliet@example.org/balcony";

  @TempDir private Path data = Path.of("");
  private TestServer server;
  private TestEdge edge;
  private int port;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withData(data).startOnSockets();
    server.accounts(List.of(ROMEO, JULIET));
    port = server.acceptEdges(0);
    edge = server.newEdge(port);
  }

  @AfterEach
  void stop() {
    edge.close();
    server.close();
  }

  private void restart() throws IOException {
    server.close();
    startAgain();
  }

  private void startAgain() throws IOException {
    server = server.restart();
    server.acceptEdges(port);
  }

  private Managed online(String address) throws IOException {
    return Managed.enable(edge.connect(address)).available();
  }

  private static void chat(Managed from, String to, String body) {
    from.client().send("<message type='chat' to='" + to + "'><body>" + body + "</body></message>");
  }

  private interface Interruption {
    void happen() throws IOException;
  }

  private void assertTalkGoesOnAfter(Interruption interruption) throws IOException {
    try (Managed romeo = online(ROMEO);
        Managed juliet = online(JULIET)) {
      chat(romeo, JULIET, "before");
      assertThat(juliet.nextBody()).isEqualTo("before");
      long before = romeo.handled();

      interruption.happen();

      chat(romeo, JULIET, "after");
      assertThat(juliet.nextBody()).isEqualTo("after");
      assertThat(romeo.handled()).isEqualTo(before + 1);
      chat(juliet, ROMEO, "answer");
      assertThat(romeo.nextBody()).isEqualTo("answer");
    }
  }

  @Test
  void clientsStayConnectedWhileTheCoreIsStartedAgain() throws IOException {
    assertTalkGoesOnAfter(this::restart);
  }

  @Test
  void whatIsSentWhileTheCoreIsAwayWaits() throws IOException {
    try (Managed romeo = online(ROMEO);
        Managed juliet = online(JULIET)) {
      server.close();
      for (int i = 0; i < 20; i++) {
        chat(romeo, JULIET, "word " + i);
      }
      startAgain();
      for (int i = 0; i < 20; i++) {
        assertThat(juliet.nextBody()).isEqualTo("word " + i);
      }
      assertThat(romeo.handled()).isEqualTo(21); // and the presence
    }
  }

  @Test
  void aConnectionThatBreaksLosesAndRepeatsNothing() throws IOException {
    try (Managed romeo = online(ROMEO);
        Managed juliet = online(JULIET)) {
      for (int i = 0; i < 200; i++) {
        chat(romeo, JULIET, "word " + i);
        if (i % 40 == 20) {
          edge.cutCores();
        }
      }
      for (int i = 0; i < 200; i++) {
        assertThat(juliet.nextBody()).isEqualTo("word " + i);
      }
      assertThat(romeo.handled()).isEqualTo(201);
      chat(romeo, JULIET, "the last");
      assertThat(juliet.nextBody()).isEqualTo("the last");
    }
  }

  /// As after a crash of the core, which leaves no saved sessions.
  private void lose() throws IOException {
    server.close();
    Files.delete(data.resolve("sessions"));
    startAgain();
  }

  @Test
  void sessionsThatTheCoreHasLostAreMadeAgain() throws IOException {
    assertTalkGoesOnAfter(this::lose);
  }

  @Test
  void aSessionThatWasMadeAgainCanBeResumed() throws IOException {
    Managed juliet = online(JULIET);
    try (Managed romeo = online(ROMEO)) {
      chat(romeo, JULIET, "one");
      assertThat(juliet.nextBody()).isEqualTo("one");
      assertThat(romeo.handled()).isEqualTo(2); // or it would be sent again
      lose();
      chat(romeo, JULIET, "two");
      assertThat(juliet.nextBody()).isEqualTo("two");
    }
    edge.close();
    edge = server.newEdge(port);
    Login login = Login.of(JULIET, TestServer.PASSWORD).withSecurity(Login.Security.STARTTLS);
    try (ScriptedClient again = edge.connected().negotiate(login)) {
      // As if only the presence had arrived.
      again.send("<resume xmlns='" + Managed.SM + "' previd='" + juliet.id() + "' h='1'/>");
      assertThat(again.receive().localName()).isEqualTo("resumed");
      assertThat(again.receiveFirst(e -> e.localName().equals("message")).childText("body"))
          .isEqualTo("one");
      assertThat(again.receiveFirst(e -> e.localName().equals("message")).childText("body"))
          .isEqualTo("two");
    }
    juliet.close();
  }

  @Test
  void aStreamWithoutStreamManagementEnds() throws IOException {
    try (ScriptedClient romeo = edge.connect(ROMEO)) {
      restart();
      assertThat(romeo.awaitStreamError()).isEqualTo("system-shutdown");
    }
  }

  @Test
  void aClientThatConnectsWhileTheCoreIsAwayWaits() throws IOException {
    server.close();
    try (ScriptedClient romeo = edge.connected().listen()) {
      romeo.send(
          "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
              + " to='example.org' version='1.0'>");
      startAgain();
      assertThat(romeo.awaitHeader().attribute("from")).isEqualTo("example.org");
    }
  }

  @Test
  void anEdgeThatDiesLeavesItsSessionsToBeResumed() throws IOException {
    Managed juliet = online(JULIET);
    edge.close();
    try (Managed romeo = Managed.online(server, ROMEO)) {
      chat(romeo, JULIET, "meanwhile");
      romeo.handled();
    }
    edge = server.newEdge(port);
    Login login = Login.of(JULIET, TestServer.PASSWORD).withSecurity(Login.Security.STARTTLS);
    try (ScriptedClient again = edge.connected().negotiate(login)) {
      again.send("<resume xmlns='" + Managed.SM + "' previd='" + juliet.id() + "' h='1'/>");
      assertThat(again.receive().localName()).isEqualTo("resumed");
      assertThat(again.receiveFirst(e -> e.localName().equals("message")).childText("body"))
          .isEqualTo("meanwhile");
    }
    juliet.close();
  }
}
