package im.zonda.app.journal;

import static im.zonda.app.journal.Scene.JULIET;
import static im.zonda.app.journal.Scene.ROMEO;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is said of messages besides the first cause, and of messages that are not sent.
@Timeout(60)
class FateTest {
  private Scene scene;

  @SuppressWarnings("NullAway.Init") // set before each test
  FateTest() {}

  @BeforeEach
  void start() throws IOException {
    scene = new Scene();
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private static String chat(String id) {
    return "<message type='chat' id='%s' to='%s'><body>b</body></message>".formatted(id, JULIET);
  }

  private void says(String stanza) {
    ScriptedClient romeo = scene.available(ROMEO);
    romeo.send(stanza);
    romeo.fence("said");
  }

  private void blocks(ScriptedClient juliet) {
    juliet.send(
        "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'><item jid='%s'/></block></iq>"
            .formatted(ROMEO));
    juliet.fence("blocked");
  }

  private static List<String> reasons(List<Map<?, ?>> findings) {
    return Inquiry.reasons(findings);
  }

  @Test
  void aFindingSaysWhatWhenAndWhatToDo() {
    says(chat("m1"));
    assertThat(scene.why(ROMEO, JULIET).getFirst().toString())
        .contains("text=juliet@example.org was not connected; the message waits until a device")
        .contains("advice=Nothing to do", "effect=stored", "id=m1", "time=20");
    Map<String, String> german = Map.of("language", "de");
    assertThat(scene.why(german, ROMEO, JULIET).getFirst().toString())
        .contains("text=juliet@example.org war nicht verbunden");
  }

  @Test
  void aMessageIsFoundByItsIdAndItsTime() {
    says(chat("m1"));
    scene.advance(Duration.ofHours(1));
    String later = scene.now().toString();
    blocks(scene.available(JULIET));
    says(chat("m2"));
    assertThat(reasons(scene.why(Map.of("id", "m1"), ROMEO, JULIET))).contains("not-connected");
    assertThat(reasons(scene.why(Map.of("id", "m2"), ROMEO, JULIET)))
        .startsWith("blocked-by-receiver")
        .doesNotContain("not-connected");
    assertThat(reasons(scene.why(Map.of("at", later), ROMEO, JULIET)))
        .startsWith("blocked-by-receiver")
        .doesNotContain("not-connected");
  }

  @Test
  void aBlockThatIsOverIsNoCause() {
    ScriptedClient juliet = scene.available(JULIET);
    blocks(juliet);
    says(chat("m1"));
    juliet.send(
        "<iq type='set' id='u'><unblock xmlns='urn:xmpp:blocking'><item jid='%s'/></unblock></iq>"
            .formatted(ROMEO));
    juliet.fence("unblocked");
    scene.advance(Duration.ofMinutes(1));
    says(chat("m2"));
    assertThat(reasons(scene.why(ROMEO, JULIET)))
        .startsWith("delivered")
        .contains("blocked-by-receiver");
  }

  @Test
  void aBlockStandsInTheWayOfTheNextMessage() {
    blocks(scene.available(JULIET));
    assertThat(reasons(scene.why(ROMEO, JULIET))).startsWith("blocked-by-receiver", "never-sent");
  }

  @Test
  void aPushServiceWasAsked() {
    ScriptedClient juliet = scene.client(JULIET);
    juliet.send(
        "<iq type='set' id='p'><enable xmlns='urn:xmpp:push:0' jid='%s' node='n'/></iq>"
            .formatted("push@example.org"));
    juliet.fence("enabled");
    juliet.disconnect();
    says(chat("m1"));
    assertThat(reasons(scene.why(ROMEO, JULIET))).startsWith("not-connected").contains("pushed");
  }

  private void pushServiceAnswers(String type, String condition) {
    ScriptedClient service = scene.client("nurse@example.org");
    ScriptedClient juliet = scene.client(JULIET);
    juliet.send(
        "<iq type='set' id='p'><enable xmlns='urn:xmpp:push:0' jid='%s' node='n'/></iq>"
            .formatted("nurse@example.org/c1"));
    juliet.fence("enabled");
    juliet.disconnect();
    says(chat("m1"));
    String id = service.receiveFirst(each -> "set".equals(each.attribute("type"))).attribute("id");
    service.send(
        "<iq type='error' id='%s' to='%s'><error type='%s'><%s xmlns='%s'/></error></iq>"
            .formatted(id, JULIET, type, condition, "urn:ietf:params:xml:ns:xmpp-stanzas"));
    service.fence("answered");
  }

  @Test
  void aPushServiceIsDown() {
    pushServiceAnswers("wait", "internal-server-error");
    assertThat(reasons(scene.why(ROMEO, JULIET)))
        .startsWith("not-connected")
        .contains("push-failed");
  }

  @Test
  void aPushServiceHasRefused() {
    pushServiceAnswers("cancel", "item-not-found");
    assertThat(reasons(scene.why(ROMEO, JULIET)))
        .startsWith("not-connected")
        .contains("push-disabled");
  }

  @Test
  void theStateOfTheReceiverIsSaidToo() {
    says(chat("m1"));
    assertThat(reasons(scene.why(ROMEO, JULIET))).contains("offline");
    ScriptedClient juliet = scene.client(JULIET);
    juliet.send("<presence><priority>-1</priority></presence>");
    juliet.fence("negative");
    assertThat(reasons(scene.why(ROMEO, JULIET))).contains("negative-priority");
  }

  @Test
  void whatALostDeviceHasNotAcknowledgedWaitsInTheLog() {
    ScriptedClient juliet = scene.client(JULIET);
    juliet.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
    juliet.send("<presence/>");
    juliet.fence("enabled");
    juliet.drop();
    says(chat("m1"));
    assertThat(reasons(scene.why(ROMEO, JULIET))).startsWith("session-detached", "waits-in-log");
  }

  @Test
  void aProbeHasNoEffects() {
    assertThat(reasons(scene.probe(ROMEO, JULIET))).startsWith("not-connected", "not-asked");
    ScriptedClient juliet = scene.available(JULIET);
    assertThat(reasons(scene.probe(ROMEO, JULIET))).startsWith("would-arrive", "not-asked");
    blocks(juliet);
    juliet.skipUnread();
    assertThat(reasons(scene.probe(ROMEO, JULIET))).startsWith("blocked-by-receiver");
    assertThat(reasons(scene.probe(JULIET, ROMEO))).startsWith("blocked-by-sender");
    assertThat(reasons(scene.probe(ROMEO, "nobody@example.org"))).startsWith("no-such-account");
    assertThat(reasons(scene.probe(ROMEO, "x@other.example"))).startsWith("not-served");
    juliet.fence("nothing came");
    assertThat(juliet.unread()).isZero();
    assertThat(scene.run("journal.search", Map.of()).toString()).contains("events=[]");
  }

  @Test
  void theJournalIsSearchedByPages() {
    says(chat("m1") + chat("m2") + chat("m3"));
    scene.advance(Duration.ofSeconds(2));
    Map<String, ?> page = scene.run("journal.search", Map.of("address", JULIET, "limit", 2));
    assertThat(page.toString()).contains("offline-full", "stanza=m2").doesNotContain("stanza=m1");
    Object next = page.get("next");
    assertThat(next).isNotNull();
    Map<String, ?> rest =
        scene.run("journal.search", Map.of("address", JULIET, "after", String.valueOf(next)));
    assertThat(rest.toString()).contains("stanza=m1", "next=null").doesNotContain("stanza=m2");
    assertThat(scene.run("journal.search", Map.of("reason", "offline-full")).toString())
        .contains("stanza=m3")
        .doesNotContain("stanza=m1");
    assertThat(scene.run("journal.search", Map.of("until", "2020-01-01T00:00:00Z")).toString())
        .contains("events=[]");
  }
}
