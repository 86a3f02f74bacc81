package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A session that has just been bound: what is sent to it is neither lost nor out of order.
final class FreshSessionTest {
  private TestServer server;
  private ScriptedClient romeo;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withClock(new FakeClock())
            .with("limits.unacknowledgedStanzas", 200)
            .startInMemory();
    romeo = server.connect("romeo@example.org/orchard");
    server.accounts(List.of("juliet@example.org"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void say(String body, String to) {
    romeo.send("<message to='" + to + "' type='chat'><body>" + body + "</body></message>");
    romeo.fence("said" + body, "juliet@example.org");
  }

  private static String next(ScriptedClient client) {
    XmlElement message = client.receiveFirst(e -> e.localName().equals("message"));
    return message.childText("body");
  }

  @Test
  void whatWaitsComesFirst() {
    say("1", "juliet@example.org");
    ScriptedClient juliet = server.connect("juliet@example.org/balcony");
    say("2", "juliet@example.org/balcony");
    juliet.send("<presence/>");
    say("3", "juliet@example.org/balcony");
    assertThat(next(juliet)).isEqualTo("1");
    assertThat(next(juliet)).isEqualTo("2");
    assertThat(next(juliet)).isEqualTo("3");
    juliet.fence("no more");
    assertThat(juliet.unread()).isEqualTo(1);
  }

  @Test
  void aConnectionThatBreaksBeforeItIsManagedLosesNothing() {
    ScriptedClient juliet = server.connect("juliet@example.org/balcony");
    say("1", "juliet@example.org/balcony");
    juliet.drop();
    ScriptedClient again = server.connect("juliet@example.org/balcony");
    again.send("<presence/>");
    assertThat(next(again)).isEqualTo("1");
  }

  @Test
  void aClientThatSendsWithoutBecomingAvailableReceivesItsOwnMessages() {
    say("other", "juliet@example.org");
    ScriptedClient juliet = server.connect("juliet@example.org/balcony");
    say("own", "juliet@example.org/balcony");
    juliet.send("<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>");
    assertThat(next(juliet)).isEqualTo("own");
    juliet.fence("no more");
    assertThat(juliet.unread()).isEqualTo(1);
  }

  @Test
  void aSilentClientReceivesItAfterAWhile() {
    ScriptedClient juliet = server.connect("juliet@example.org/balcony");
    say("1", "juliet@example.org/balcony");
    server.advance(Duration.ofSeconds(7));
    assertThat(next(juliet)).isEqualTo("1");
  }

  @Test
  void whileOneResourceCatchesUpEachGetsEverythingOnceAndInOrder() {
    for (int i = 0; i < 150; i++) {
      romeo.send("<message to='juliet@example.org' type='chat'><body>" + i + "</body></message>");
    }
    romeo.fence("stored", "juliet@example.org");
    // Acknowledging nothing, it gets half of what it may leave unacknowledged.
    Managed slow = Managed.enable(server.connect("juliet@example.org/slow"));
    slow.client().send("<presence/>");
    for (int i = 0; i < 100; i++) {
      assertThat(next(slow.client())).isEqualTo(Integer.toString(i));
    }
    ScriptedClient other = server.connect("juliet@example.org/other");
    other.send("<presence/>");
    for (int i = 0; i < 150; i++) {
      assertThat(next(other)).isEqualTo(Integer.toString(i));
    }
    say("150", "juliet@example.org");
    assertThat(next(other)).isEqualTo("150");
    slow.acknowledge(101);
    assertThat(next(slow.client())).isEqualTo("150");
  }
}
