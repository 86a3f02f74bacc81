package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.StreamEvent;
import im.zonda.testkit.server.ServerPlan;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What all connections together may hold of stanzas that do not come to their end.
@Timeout(60)
@Tag("small-heap")
class InboundAttackTest {
  private static final String BEGINNING = "<message to='example.org'><body>" + "x".repeat(40_000);
  private static final String END = "</body></message>";

  /// One event loop, so that all connections share one bound.
  private static ServerPlan plan() {
    return Target.plan().with("limits.inboundBytes", 200_000L).with("c2s.eventLoops", 1);
  }

  @Test
  void streamsOfTheAccountWithTheMostUnfinishedStanzasAreClosed() throws IOException {
    List<ScriptedClient> hogs = new ArrayList<>();
    try (Target target = new Target(plan());
        ScriptedClient bystander = target.named("bystander@example.org/r")) {
      bystander.send(BEGINNING);
      for (int i = 0; i < 8; i++) {
        hogs.add(target.named("hog@example.org/" + i).send(BEGINNING));
      }
      long closed = hogs.stream().filter(InboundAttackTest::isClosed).count();
      assertThat(closed).isGreaterThanOrEqualTo(4);
      bystander.send(END);
      bystander.fence("alive");
      target.serves();
    } finally {
      hogs.forEach(ScriptedClient::close);
    }
  }

  /// Whether the server has closed it; otherwise it goes on after what was unfinished.
  private static boolean isClosed(ScriptedClient client) {
    client.offer(
        Target.utf8(
            END + "<iq type='get' id='p' to='example.org'><ping xmlns='urn:xmpp:ping'/></iq>"));
    while (true) {
      if (client.next(ScriptedClient.PATIENCE) instanceof StreamEvent.Received received) {
        if (received.element().is(ScriptedClient.STREAMS, "error")) {
          assertThat(received.element().condition()).isEqualTo("resource-constraint");
          return true;
        }
        if ("p".equals(received.element().attribute("id"))) {
          return false;
        }
      }
    }
  }

  @Test
  void whatHasEndedIsNotCounted() throws IOException {
    try (Target target = new Target(plan());
        ScriptedClient client = target.someone()) {
      for (int i = 0; i < 50; i++) {
        client.send(BEGINNING);
        client.send(END);
        client.fence("f" + i);
      }
      assertThat(client.ended()).isFalse();
    }
  }

  @Test
  void connectionsOfAnAddressWithUnfinishedHandshakesAreClosed() throws IOException {
    try (Target target = new Target(plan().with("limits.inboundBytes", 250_000L));
        ScriptedClient bystander = target.someone()) {
      bystander.send(BEGINNING);
      byte[] part = new byte[16_000];
      // A record of a handshake of 16 KiB (RFC 8446, section 5.1) with the beginning of a message.
      System.arraycopy(
          new byte[] {0x16, 3, 1, 0x40, 0, 1, 0, 0x3f, (byte) 0xfc, 3, 3}, 0, part, 0, 11);
      List<Socket> halves = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Socket half = new Socket();
        half.connect(target.server().address(Login.Security.DIRECT_TLS));
        half.setSoTimeout(50);
        half.getOutputStream().write(part);
        halves.add(half);
      }
      while (halves.stream().noneMatch(InboundAttackTest::isClosed)) {
        assertThat(halves).allMatch(half -> !half.isClosed());
      }
      for (Socket half : halves) {
        half.close();
      }
      bystander.send(END);
      bystander.fence("alive");
      target.serves();
    }
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
