package im.zonda.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.jid.Jid;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.trace.TraceStore;
import im.zonda.trace.TraceStore.Step;
import im.zonda.trace.TraceStore.Traced;
import im.zonda.trace.recording.Choice;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The steps of messages that are traced at one node.
@Timeout(60)
class TraceTest {
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.org";
  private static final String ROOM = "green@rooms.example.org";

  private final FakeClock clock = new FakeClock();
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before each test
  TraceTest() {}

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withClock(clock).startInMemory();
    server.accounts(List.of(ROMEO, JULIET));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Choice choice(
      @Nullable String address, @Nullable String domain, @Nullable String network, int oneIn) {
    return new Choice(
        "t1",
        address == null ? null : Jid.of(address),
        domain,
        network,
        oneIn,
        clock.instant(),
        clock.instant().plus(Duration.ofHours(1)),
        "root");
  }

  private void trace(Choice... choices) {
    server.server().traces().choose(List.of(choices));
  }

  private ScriptedClient available(String address, boolean managed) {
    ScriptedClient client = server.connect(address);
    if (managed) {
      client.send("<enable xmlns='urn:xmpp:sm:3'/>");
    }
    client.send("<presence/>");
    client.fence("here");
    return client;
  }

  private void says(ScriptedClient client, String to, String id) {
    client.send(
        "<message type='chat' to='%s' id='%s'><body>secret</body></message>".formatted(to, id));
    client.fence("said");
  }

  private List<Traced> traced() {
    return server.server().traces().find(TraceStore.Query.newest(50));
  }

  private List<String> steps(Traced message) {
    return server.server().traces().steps(message.trace()).stream()
        .map(each ->
            each.place()
                + " "
                + each.verdict()
                + (each.reason() == null ? "" : " " + each.reason()))
        .toList();
  }

  @Test
  void aMessageIsFollowedToItsReceiver() {
    trace(choice(JULIET, null, null, 0));
    available(JULIET + "/phone", false);
    says(available(ROMEO + "/garden", true), JULIET, "m1");
    Traced message = traced().getFirst();
    assertThat(message.sender()).isEqualTo(Jid.of(ROMEO + "/garden"));
    assertThat(message.receiver()).isEqualTo(Jid.of(JULIET));
    assertThat(message.stanza()).isEqualTo("m1");
    assertThat(message.chosen()).isEqualTo("t1");
    assertThat(steps(message))
        .containsSubsequence(
            "stream received",
            "sent-filter passed",
            "home received",
            "arriving-filter passed",
            "session delivered")
        .contains("log stored", "session written", "stream handled");
  }

  @Test
  void nothingIsNotedOfOthers() {
    trace(choice("nurse@example.org", null, null, 0));
    says(available(ROMEO + "/garden", true), JULIET, "m1");
    assertThat(traced()).isEmpty();
    assertThat(server.server().traces().noted()).isZero();
  }

  @Test
  void aMessageIsFollowedToWhereItIsStopped() {
    trace(choice(ROMEO, null, null, 0));
    ScriptedClient romeo = available(ROMEO + "/garden", true);
    says(romeo, "nobody@example.org", "m1");
    says(romeo, JULIET, "m2");
    List<Traced> found = traced();
    assertThat(found).extracting(Traced::stanza).containsExactly("m2", "m1");
    assertThat(steps(found.get(1))).contains("home refused no-such-account");
    assertThat(steps(found.get(0))).contains("home stored not-connected");
  }

  @Test
  void aRoomIsFollowedAndOnlyChosenOccupants() {
    trace(choice(ROOM, null, null, 0));
    ScriptedClient juliet = available(JULIET + "/phone", false);
    ScriptedClient romeo = available(ROMEO + "/garden", false);
    for (ScriptedClient each : List.of(juliet, romeo)) {
      each.send(
          "<presence to='%s/%s'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
              .formatted(ROOM, each == juliet ? "j" : "r"));
      each.fence("entered");
      each.send(
          "<iq type='set' id='c' to='%s'><query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data' type='submit'/></query></iq>"
              .formatted(ROOM));
      each.fence("configured");
    }
    romeo.send(
        "<message type='groupchat' to='%s' id='g1'><body>secret</body></message>".formatted(ROOM));
    romeo.fence("said");
    Traced message = traced().getFirst();
    assertThat(steps(message)).contains("room received", "room expanded");
    assertThat(server.server().traces().steps(message.trace()))
        .filteredOn(each -> each.verdict().equals("expanded"))
        .extracting(Step::detail)
        .containsExactly("2");
    assertThat(steps(message)).doesNotContain("session delivered");
    trace(choice(JULIET, null, null, 0));
    romeo.send(
        "<message type='groupchat' to='%s' id='g2'><body>secret</body></message>".formatted(ROOM));
    romeo.fence("said again");
    assertThat(steps(traced().getFirst())).contains("session delivered", "session written");
  }

  @Test
  void clientsAreChosenByNetworkAndByChance() {
    ScriptedClient romeo = available(ROMEO + "/garden", true);
    trace(choice(null, null, "192.0.2.0/24", 0));
    says(romeo, JULIET, "m1");
    assertThat(traced()).isEmpty();
    trace(choice(null, null, null, 2));
    for (int i = 0; i < 4; i++) {
      says(romeo, JULIET, "n" + i);
    }
    assertThat(traced()).hasSize(2);
  }

  @Test
  void aDomainIsChosen() {
    trace(choice(null, "example.org", null, 0));
    says(available(ROMEO + "/garden", false), JULIET, "m1");
    assertThat(traced()).hasSize(1);
  }

  @Test
  void aTraceEndsByItself() {
    trace(choice(JULIET, null, null, 0));
    ScriptedClient romeo = available(ROMEO + "/garden", true);
    says(romeo, JULIET, "m1");
    server.advance(Duration.ofHours(2));
    says(available(ROMEO + "/hall", true), JULIET, "m2");
    assertThat(traced()).extracting(Traced::stanza).containsExactly("m1");
  }

  @Test
  void stepsAreStoredASecondLater() {
    trace(choice(JULIET, null, null, 0));
    says(available(ROMEO + "/garden", true), JULIET, "m1");
    server.advance(Duration.ofSeconds(2));
    TraceStore store = server.stores().traces();
    Traced message = store.find(TraceStore.Query.newest(1)).getFirst();
    assertThat(message.stanza()).isEqualTo("m1");
    assertThat(store.steps(message.trace())).isNotEmpty();
    assertThat(store.steps(message.trace()).toString() + message).doesNotContain("secret");
    assertThat(server.server().traces().dropped()).isZero();
  }

  @Test
  void anAddressIsForgotten() {
    trace(choice(JULIET, null, null, 0));
    says(available(ROMEO + "/garden", true), JULIET, "m1");
    server.server().traces().forget(Jid.of(ROMEO));
    assertThat(traced()).isEmpty();
  }
}
