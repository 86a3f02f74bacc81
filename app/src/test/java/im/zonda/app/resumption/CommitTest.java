package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Delivery does not wait for the commit of the log; the acknowledgement does (XEP-0198, section
/// 4).
final class CommitTest {
  private final List<GatedStores> opened = new ArrayList<>();
  private TestServer server;
  private GatedStores stores;
  private Managed juliet;
  private Managed romeo;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withClock(new FakeClock())
            .withStores(inner -> {
              opened.add(new GatedStores(inner));
              return opened.getFirst();
            })
            .startInMemory();
    stores = opened.getFirst();
    juliet = Managed.online(server, "juliet@example.org/balcony");
    romeo = Managed.online(server, "romeo@example.org/orchard");
  }

  @AfterEach
  void stop() {
    stores.commitAll(); // to stop, the server waits for what is not handled
    server.close();
  }

  private void say(String id) {
    romeo
        .client()
        .send(
            "<message to='juliet@example.org' type='chat' id='"
                + id
                + "'><body>"
                + id
                + "</body></message>");
  }

  private void ask() {
    romeo.client().send("<r xmlns='" + Managed.SM + "'/>");
  }

  /// The server's counts that have come, in order; all that has come is read.
  private List<Long> counts() {
    romeo.client().fence("fence");
    List<Long> counts = new ArrayList<>();
    for (int unread = romeo.client().unread(); unread > 0; unread--) {
      XmlElement element = romeo.client().receive();
      if (element.is(Managed.SM, "a")) {
        counts.add(Long.parseLong(Objects.requireNonNull(element.attribute("h"))));
      }
    }
    return counts;
  }

  @Test
  void deliveryDoesNotWaitForTheCommitAndTheAcknowledgementDoes() {
    say("1");
    ask();
    assertThat(juliet.nextBody()).isEqualTo("1");
    assertThat(counts()).isEmpty();
    stores.commitAll();
    // Presence, the message, and the question of the fence.
    assertThat(romeo.nextCount()).isEqualTo(3);
  }

  @Test
  void alsoForAReceiverWhoIsOffline() {
    server.accounts(List.of("nurse@example.org"));
    romeo
        .client()
        .send("<message to='nurse@example.org' type='chat' id='1'><body>1</body></message>");
    ask();
    assertThat(counts()).isEmpty();
    stores.commitAll();
    assertThat(romeo.nextCount()).isEqualTo(3);
  }

  @Test
  void onAFullDiskTheAcknowledgementWaits() {
    server.accounts(List.of("nurse@example.org"));
    stores.state(
        new StoreState(StoreState.Kind.FAILING, Instant.EPOCH, StoreException.Category.FULL));
    romeo
        .client()
        .send("<message to='nurse@example.org' type='chat' id='1'><body>1</body></message>");
    ask();
    romeo.client().fence("held", "nurse@example.org");
    assertThat(counts()).isEmpty();
    ScriptedClient unmanaged = server.connect("mercutio@example.org/r");
    unmanaged.send("<message to='nurse@example.org' type='chat' id='2'><body>2</body></message>");
    XmlElement refused = unmanaged.receiveFirst(e -> e.localName().equals("message"));
    assertThat(refused.condition()).isEqualTo("resource-constraint");
    stores.state(StoreState.STORING);
    stores.commitAll();
    romeo.nextCount();
    ScriptedClient nurse = server.connect("nurse@example.org/hall").send("<presence/>");
    XmlElement message = nurse.receiveFirst(e -> e.localName().equals("message"));
    assertThat(message.childText("body")).isEqualTo("1");
  }

  @Test
  void aMessageThatWillNeverBeStoredIsRejected() {
    server.accounts(List.of("nurse@example.org"));
    stores.state(
        new StoreState(
            StoreState.Kind.STOPPED, Instant.EPOCH, StoreException.Category.UNAVAILABLE));
    romeo
        .client()
        .send("<message to='nurse@example.org' type='chat' id='1'><body>1</body></message>");
    XmlElement refused = romeo.client().receiveFirst(e -> e.localName().equals("message"));
    assertThat(refused.condition()).isEqualTo("resource-constraint");
  }

  @Test
  void aSecondLaterTheCountSoFarIsSentAndTheRestWhenItIsDurable() {
    romeo.client().fence("counted");
    say("1");
    ask();
    assertThat(counts()).isEmpty();
    server.advance(Duration.ofSeconds(1));
    assertThat(counts()).containsExactly(2L);
    stores.commitAll();
    // Presence, three fences and the message.
    assertThat(romeo.nextCount()).isEqualTo(5);
  }

  @Test
  void aMessageForTwoArchivesIsOneEntry() {
    say("1");
    ask();
    assertThat(counts()).isEmpty();
    assertThat(stores.uncommitted()).isEqualTo(1);
    stores.commitOne();
    assertThat(romeo.nextCount()).isEqualTo(3);
  }

  @Test
  void everyEntryOfAMessageMustBeDurable() {
    // The receiver gets it without the forged id, so it is not the same message in both archives.
    romeo
        .client()
        .send(
            "<message to='juliet@example.org' type='chat' id='1'><body>1</body>"
                + "<stanza-id xmlns='urn:xmpp:sid:0' by='juliet@example.org' id='1'/></message>");
    ask();
    assertThat(counts()).isEmpty();
    assertThat(stores.uncommitted()).isEqualTo(2);
    stores.commitOne();
    assertThat(counts()).isEmpty();
    stores.commitOne();
    assertThat(romeo.nextCount()).isEqualTo(4);
  }

  @Test
  void aMessageThatCannotBeStoredIsRejectedBeforeItIsCounted() {
    say("1");
    ask();
    assertThat(counts()).isEmpty();
    stores.failOne();
    XmlElement answer = romeo.client().receive();
    assertThat(answer.attribute("type")).isEqualTo("error");
    assertThat(answer.attribute("id")).isEqualTo("1");
    assertThat(romeo.nextCount()).isEqualTo(3);
  }

  private Managed.Attempt resume() {
    Login login =
        Login.of("romeo@example.org/orchard", TestServer.PASSWORD)
            .withSecurity(Login.Security.NONE);
    ScriptedClient client = server.connected(Login.Security.NONE, "example.org").negotiate(login);
    client.send("<resume xmlns='" + Managed.SM + "' previd='" + romeo.id() + "' h='1'/>");
    server.advance(Duration.ofSeconds(19));
    assertThat(client.unread()).as("too early to tell").isZero();
    server.advance(Duration.ofSeconds(2));
    return new Managed.Attempt(client, client.receive());
  }

  @Test
  void aResumptionIsNotAnsweredWhileWhatWasSentIsBeingStored() {
    say("1");
    assertThat(juliet.nextBody()).isEqualTo("1");
    romeo.client().drop();
    // Neither with a count that leaves the message out, nor with <failed/>: the client would send
    // the message again.
    for (int attempt = 0; attempt < 2; attempt++) {
      XmlElement answer = resume().answer();
      assertThat(answer.localName()).isEqualTo("error");
      assertThat(answer.condition()).isEqualTo("resource-constraint");
    }
    stores.commitAll();
    XmlElement resumed = resumeNow();
    assertThat(resumed.localName()).isEqualTo("resumed");
    // Presence and the message.
    assertThat(resumed.attribute("h")).isEqualTo("2");
    juliet.client().fence("all");
    while (juliet.client().unread() > 0) {
      assertThat(juliet.client().receive().localName()).isNotEqualTo("message");
    }
  }

  private XmlElement resumeNow() {
    Login login =
        Login.of("romeo@example.org/orchard", TestServer.PASSWORD)
            .withSecurity(Login.Security.NONE);
    return Managed.resume(server, login, romeo.id(), 1).answer();
  }

  @Test
  void aResumptionThatWaitsIsAnsweredWhenAllIsStored() {
    say("1");
    assertThat(juliet.nextBody()).isEqualTo("1");
    romeo.client().drop();
    Login login =
        Login.of("romeo@example.org/orchard", TestServer.PASSWORD)
            .withSecurity(Login.Security.NONE);
    ScriptedClient client = server.connected(Login.Security.NONE, "example.org").negotiate(login);
    client.send("<resume xmlns='" + Managed.SM + "' previd='" + romeo.id() + "' h='1'/>");
    server.advance(Duration.ofSeconds(15));
    assertThat(client.unread()).isZero();
    stores.commitAll();
    assertThat(client.receive().attribute("h")).isEqualTo("2");
    // It is not ended by the time that the first break began.
    server.advance(Duration.ofSeconds(20));
    client.send("<r xmlns='" + Managed.SM + "'/>");
    assertThat(client.receiveFirst(e -> e.is(Managed.SM, "a")).attribute("h")).isEqualTo("2");
  }

  @Test
  void attemptsDoNotExtendASessionAndItsCountIsKnownAfterwards() {
    say("1");
    assertThat(juliet.nextBody()).isEqualTo("1");
    romeo.client().drop();
    for (int attempt = 0; attempt < 28; attempt++) {
      assertThat(resume().answer().condition()).isEqualTo("resource-constraint");
    }
    server.advance(Duration.ofSeconds(30));
    stores.commitAll();
    XmlElement failed = resumeNow();
    assertThat(failed.localName()).isEqualTo("failed");
    assertThat(failed.attribute("h")).isEqualTo("2");
  }
}
