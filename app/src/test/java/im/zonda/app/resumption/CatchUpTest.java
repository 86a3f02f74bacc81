package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages that waited, to clients with stream management (XEP-0160, XEP-0198). The clock stands
/// still: nothing of it may wait for time to pass.
final class CatchUpTest {
  private TestServer server;
  private ScriptedClient romeo;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withClock(new FakeClock()).startInMemory();
    romeo = server.connect("romeo@example.org/orchard");
    server.accounts(List.of("juliet@example.org"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void store(int count, String text) {
    for (int i = 0; i < count; i++) {
      romeo.send(
          "<message to='juliet@example.org' type='chat'><body>" + i + text + "</body></message>");
    }
    romeo.fence("stored", "juliet@example.org");
  }

  /// Reads `count` messages, answering each question of the server.
  private static void readAll(Managed juliet, int count, String text) {
    juliet.client().send("<presence/>");
    int read = 0;
    for (int handled = 0; read < count; ) {
      XmlElement element = juliet.client().receive();
      if (element.is(Managed.SM, "r")) {
        juliet.acknowledge(handled);
        continue;
      }
      handled++;
      if (element.localName().equals("message")) {
        assertThat(element.childText("body")).isEqualTo(read + text);
        read++;
      }
    }
  }

  @Test
  void aClientThatAnswersGetsAllWithoutAPause() {
    store(2_500, "");
    readAll(Managed.enable(server.connect("juliet@example.org/balcony")), 2_500, "");
  }

  @Test
  void largeMessagesToo() {
    store(40, "x".repeat(200_000));
    readAll(Managed.enable(server.connect("juliet@example.org/balcony")), 40, "x".repeat(200_000));
  }

  @Test
  void aClientThatAcknowledgesNothingGetsNoMoreThanItMayLeaveUnacknowledged() {
    store(1_200, "");
    Managed juliet = Managed.enable(server.connect("juliet@example.org/balcony"));
    juliet.client().send("<presence/>");
    juliet.client().fence("read");
    int messages = 0;
    for (int unread = juliet.client().unread(); unread > 0; unread--) {
      messages += juliet.client().receive().localName().equals("message") ? 1 : 0;
    }
    assertThat(messages).isEqualTo(1_000);
  }

  @Test
  void aUserWhoIsBlockedMeanwhileGetsAnErrorAndIsNotHeard() {
    store(2, "");
    ScriptedClient juliet = server.connect("juliet@example.org/balcony");
    juliet.send(
        "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'>"
            + "<item jid='romeo@example.org'/></block></iq>");
    juliet.receiveFirst(e -> "b".equals(e.attribute("id")));
    juliet.send("<presence/>");
    juliet.fence("read");
    while (juliet.unread() > 0) {
      assertThat(juliet.receive().localName()).isNotEqualTo("message");
    }
    for (int i = 0; i < 2; i++) {
      XmlElement refused = romeo.receiveFirst(e -> e.localName().equals("message"));
      assertThat(refused.attribute("type")).isEqualTo("error");
      assertThat(refused.condition()).isEqualTo("service-unavailable");
    }
  }
}
