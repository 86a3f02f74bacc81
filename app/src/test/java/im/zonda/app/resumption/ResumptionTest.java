package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// XEP-0198 against a whole server in memory, where the test moves the clock.
final class ResumptionTest {
  private static final Login JULIET =
      Login.of("juliet@example.org/balcony", TestServer.PASSWORD).withSecurity(Login.Security.NONE);
  private static final Login ROMEO =
      Login.of("romeo@example.org/orchard", TestServer.PASSWORD).withSecurity(Login.Security.NONE);

  private final FakeClock clock = new FakeClock();
  private TestServer server;
  private ScriptedClient romeo;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withClock(clock)
            .with("limits.unacknowledgedStanzas", 50)
            .startInMemory();
    romeo = server.connect("romeo@example.org/orchard");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Managed juliet() {
    return Managed.online(server, "juliet@example.org/balcony");
  }

  private void say(String body) {
    romeo.send("<message to='juliet@example.org' type='chat'><body>" + body + "</body></message>");
  }

  private void friends() {
    ScriptedClient juliet = server.connect("juliet@example.org/setup");
    romeo.send("<presence/><presence to='juliet@example.org' type='subscribe'/>");
    romeo.fence("asked", "juliet@example.org");
    juliet.send("<presence/><presence to='romeo@example.org' type='subscribed'/>");
    juliet.fence("granted", "romeo@example.org");
    juliet.disconnect();
    romeo.receiveFirst(e -> "unavailable".equals(e.attribute("type")));
  }

  @Test
  void theCountStartsWithEnablingAndCoversWhatIsHandled() {
    Managed juliet = juliet();
    assertThat(juliet.handled()).isEqualTo(1);
    juliet.client().send("<message to='romeo@example.org' type='chat'><body>1</body></message>");
    juliet.client().send("<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>");
    juliet.client().send("<iq type='get' id='malformed' to='@'/>");
    assertThat(juliet.handled()).isEqualTo(4);
  }

  @Test
  void unacknowledgedStanzasAreResentBeforeThoseThatCameMeanwhile() {
    Managed juliet = juliet().acknowledge(1);
    say("1");
    say("2");
    assertThat(juliet.nextBody()).isEqualTo("1");
    XmlElement second = juliet.client().receiveFirst(e -> e.localName().equals("message"));
    juliet.acknowledge(2);
    romeo.fence("before");
    juliet.client().fence("acknowledged");
    juliet.client().drop();
    say("3");
    romeo.fence("after", "juliet@example.org");

    // The answer to the fence was not acknowledged either.
    Managed.Attempt again = Managed.resume(server, JULIET, juliet.id(), 2);
    assertThat(again.answer().localName()).isEqualTo("resumed");
    assertThat(again.answer().attribute("previd")).isEqualTo(juliet.id());
    assertThat(again.answer().attribute("h")).isEqualTo("2");
    XmlElement repeated = again.client().receive();
    assertThat(repeated.childText("body")).isEqualTo("2");
    assertThat(Objects.requireNonNull(repeated.child("stanza-id")).attribute("id"))
        .isEqualTo(Objects.requireNonNull(second.child("stanza-id")).attribute("id"));
    assertThat(again.client().receive().localName()).isEqualTo("iq");
    assertThat(again.client().receive().childText("body")).isEqualTo("3");
  }

  @Test
  void whatComesLateSaysWhenItWasSent() {
    Managed juliet = juliet();
    Instant start = clock.instant();
    say("1");
    assertThat(juliet.nextBody()).isEqualTo("1");
    juliet.client().drop();
    server.advance(Duration.ofSeconds(60));
    say("2");
    romeo.fence("sent", "juliet@example.org");
    server.advance(Duration.ofSeconds(60));
    say("3");
    romeo.fence("sent too", "juliet@example.org");
    Managed.Attempt again = Managed.resume(server, JULIET, juliet.id(), 1);
    assertThat(again.answer().localName()).isEqualTo("resumed");
    assertThat(delay(again.client().receive())).isEqualTo(start.toString());
    assertThat(delay(again.client().receive())).isEqualTo(start.plusSeconds(60).toString());
    assertThat(delay(again.client().receive())).isNull();
  }

  /// A message that waited before it came to the session says when it came to the server.
  @Test
  void theFirstDelayStays() {
    server.accounts(List.of("juliet@example.org"));
    Instant start = clock.instant();
    say("1");
    romeo.fence("sent", "juliet@example.org");
    server.advance(Duration.ofSeconds(60));
    Managed juliet = juliet();
    assertThat(juliet.nextBody()).isEqualTo("1");
    juliet.client().drop();
    server.advance(Duration.ofSeconds(60));
    Managed.Attempt again = Managed.resume(server, JULIET, juliet.id(), 1);
    assertThat(delay(again.client().receive())).isEqualTo(start.toString());
  }

  /// The time that a message says itself to be delayed since; null if it does not.
  private static @Nullable String delay(XmlElement message) {
    assertThat(message.localName()).isEqualTo("message");
    XmlElement delay = message.child("urn:xmpp:delay", "delay");
    if (delay == null) {
      return null;
    }
    assertThat(delay.attribute("from")).isEqualTo("example.org");
    return Instant.parse(Objects.requireNonNull(delay.attribute("stamp")))
        .truncatedTo(ChronoUnit.SECONDS)
        .toString();
  }

  @Test
  void theNewStreamWinsWhileTheOldOneLooksAlive() {
    Managed juliet = juliet();
    Managed.Attempt again = Managed.resume(server, JULIET, juliet.id(), 1);
    assertThat(again.answer().localName()).isEqualTo("resumed");
    assertThat(juliet.client().awaitStreamError()).isEqualTo("conflict");
    say("1");
    assertThat(new Managed(again.client(), juliet.id()).nextBody()).isEqualTo("1");
    // The end of the old stream is not the end of the session.
    assertThat(new Managed(again.client(), juliet.id()).handled()).isEqualTo(1);
  }

  @Test
  void aSessionCanBeResumedAgainAndAgain() {
    Managed juliet = juliet();
    ScriptedClient client = juliet.client();
    for (int i = 1; i <= 5; i++) {
      say("m" + i);
      romeo.fence("f" + i, "juliet@example.org");
      client.drop();
      Managed.Attempt again = Managed.resume(server, JULIET, juliet.id(), i);
      assertThat(again.answer().localName()).isEqualTo("resumed");
      client = again.client();
      assertThat(client.receiveFirst(e -> e.localName().equals("message")).childText("body"))
          .isEqualTo("m" + i);
    }
  }

  @Test
  void acknowledgingMoreThanWasSentEndsTheStreamAndTheSession() {
    Managed juliet = juliet();
    juliet.acknowledge(7);
    XmlElement error = juliet.client().receiveFirst(e -> e.localName().equals("error"));
    assertThat(error.condition()).isEqualTo("undefined-condition");
    XmlElement detail = Objects.requireNonNull(error.child(Managed.SM, "handled-count-too-high"));
    assertThat(detail.attribute("h")).isEqualTo("7");
    assertThat(detail.attribute("send-count")).isEqualTo("1");
    assertThat(Managed.resume(server, JULIET, juliet.id(), 1).answer().localName())
        .isEqualTo("failed");
  }

  @Test
  void resumingWithMoreThanWasSentIsNotTrusted() {
    Managed juliet = juliet();
    juliet.client().drop();
    Managed.Attempt again = Managed.resume(server, JULIET, juliet.id(), 8);
    assertThat(again.answer().condition()).isEqualTo("undefined-condition");
  }

  @Test
  void onlyTheOwnAccountResumesASession() {
    Managed juliet = juliet();
    juliet.client().drop();
    Managed.Attempt theft = Managed.resume(server, ROMEO, juliet.id(), 0);
    assertThat(theft.answer().localName()).isEqualTo("failed");
    assertThat(theft.answer().child("item-not-found")).isNotNull();
    assertThat(theft.answer().attribute("h")).isNull();
    assertThat(Managed.resume(server, JULIET, juliet.id(), 1).answer().localName())
        .isEqualTo("resumed");
  }

  @Test
  void afterAFailedResumptionAResourceCanBeBound() {
    server.accounts(List.of("juliet@example.org"));
    Managed.Attempt attempt = Managed.resume(server, JULIET, "nonsense", 0);
    assertThat(attempt.answer().child("item-not-found")).isNotNull();
    assertThat(attempt.client().bind("balcony")).isEqualTo("juliet@example.org/balcony");
  }

  @Test
  void aDetachedSessionStaysAvailableUntilItsTimeIsOver() {
    friends();
    Managed juliet = juliet();
    romeo.receiveFirst(e -> "juliet@example.org/balcony".equals(e.attribute("from")));
    int before = romeo.unread();
    juliet.client().drop();
    server.advance(Duration.ofSeconds(590));
    romeo.fence("still");
    assertThat(romeo.unread()).isEqualTo(before);
    server.advance(Duration.ofSeconds(11));
    romeo.receiveFirst(e ->
        "juliet@example.org/balcony".equals(e.attribute("from"))
            && "unavailable".equals(e.attribute("type")));
    Managed.Attempt late = Managed.resume(server, JULIET, juliet.id(), 1);
    assertThat(late.answer().child("item-not-found")).isNotNull();
    assertThat(late.answer().attribute("h")).isEqualTo("1");
  }

  @Test
  void whatATimedOutSessionDidNotAcknowledgeReachesTheNextOne() {
    Managed juliet = juliet();
    say("1");
    XmlElement first = juliet.client().receiveFirst(e -> e.localName().equals("message"));
    juliet.client().drop();
    say("2");
    romeo.fence("sent", "juliet@example.org");
    server.advance(Duration.ofSeconds(601));
    ScriptedClient next = server.connect("juliet@example.org/hall");
    next.send("<presence/>");
    XmlElement again = next.receiveFirst(e -> e.localName().equals("message"));
    assertThat(again.childText("body")).isEqualTo("1");
    assertThat(Objects.requireNonNull(again.child("stanza-id")).attribute("id"))
        .isEqualTo(Objects.requireNonNull(first.child("stanza-id")).attribute("id"));
    assertThat(next.receiveFirst(e -> e.localName().equals("message")).childText("body"))
        .isEqualTo("2");
  }

  @Test
  void aRequestToASessionThatTimesOutIsAnswered() {
    Managed juliet = juliet();
    juliet.client().drop();
    romeo.send(
        "<iq type='get' id='q' to='juliet@example.org/balcony'><ping xmlns='urn:xmpp:ping'/></iq>");
    romeo.fence("asked", "juliet@example.org");
    server.advance(Duration.ofSeconds(601));
    XmlElement answer = romeo.receiveFirst(e -> "q".equals(e.attribute("id")));
    assertThat(answer.condition()).isEqualTo("service-unavailable");
  }

  @Test
  void aStreamThatIsClosedIsTheEndOfItsSession() {
    Managed juliet = juliet();
    juliet.client().disconnect();
    assertThat(Managed.resume(server, JULIET, juliet.id(), 1).answer().localName())
        .isEqualTo("failed");
  }

  @Test
  void tooMuchThatIsNotAcknowledgedEndsTheSessionAndLosesNothing() {
    Managed juliet = juliet();
    for (int i = 0; i < 60; i++) {
      say("m" + i);
    }
    assertThat(juliet.client().awaitStreamError()).isEqualTo("resource-constraint");
    assertThat(Managed.resume(server, JULIET, juliet.id(), 1).answer().localName())
        .isEqualTo("failed");
    ScriptedClient next = server.connect("juliet@example.org/hall");
    next.send("<presence/>");
    for (int i = 0; i < 60; i++) {
      assertThat(next.receiveFirst(e -> e.localName().equals("message")).childText("body"))
          .isEqualTo("m" + i);
    }
  }

  @Test
  void enablingIsForBoundStreamsAndOnce() {
    server.accounts(List.of("juliet@example.org"));
    ScriptedClient client = server.connected(JULIET.security(), JULIET.domain()).negotiate(JULIET);
    assertThat(client.features().child(Managed.SM, "sm")).isNotNull();
    client.send("<enable xmlns='urn:xmpp:sm:3'/>");
    assertThat(client.receive().child("unexpected-request")).isNotNull();
    client.bind("balcony");
    client.send("<enable xmlns='urn:xmpp:sm:3'/>");
    XmlElement enabled = client.receive();
    assertThat(enabled.localName()).isEqualTo("enabled");
    assertThat(enabled.attribute("id")).isNull();
    client.send("<enable xmlns='urn:xmpp:sm:3'/>");
    assertThat(client.receive().child("unexpected-request")).isNotNull();
    client.send("<r xmlns='urn:xmpp:sm:3'/>");
    assertThat(client.receive().localName()).isEqualTo("a");
  }

  @Test
  void nobodyManagesAStreamBeforeAuthentication() {
    for (String request : new String[] {"enable %s", "resume %s previd='x' h='0'"}) {
      ScriptedClient client = sendBeforeAuthentication(request);
      assertThat(client.receive().child("unexpected-request")).isNotNull();
    }
    for (String count : new String[] {"r %s", "a %s h='0'"}) {
      ScriptedClient client = sendBeforeAuthentication(count);
      assertThat(client.awaitStreamError()).isEqualTo("not-authorized");
    }
  }

  private ScriptedClient sendBeforeAuthentication(String element) {
    ScriptedClient client =
        server.connected(JULIET.security(), JULIET.domain()).open(JULIET.domain());
    client.send("<" + element.formatted("xmlns='urn:xmpp:sm:3'") + "/>");
    return client;
  }

  @Test
  void badCountsAreRefused() {
    for (String h : new String[] {"", "-1", "x", "4294967296", "99999999999"}) {
      Managed juliet = juliet();
      juliet.client().send("<a xmlns='urn:xmpp:sm:3' h='" + h + "'/>");
      assertThat(juliet.client().awaitStreamError()).isEqualTo("bad-format");
    }
  }

  @Test
  void aSilentClientIsAskedForItsCountAndThenDetached() {
    Managed juliet = juliet();
    juliet.client().receiveFirst(e -> e.is(Managed.SM, "r"));
    server.advance(Duration.ofSeconds(61));
    juliet.client().awaitConnectionLoss();
    assertThat(Managed.resume(server, JULIET, juliet.id(), 1).answer().localName())
        .isEqualTo("resumed");
  }

  @Test
  void aDetachedSessionMakesRoomForANewOne() throws IOException {
    try (TestServer small =
        ServerPlan.of(StandardModules::create)
            .with("limits.sessionsPerAccount", 1)
            .startInMemory()) {
      Managed first = Managed.online(small, "juliet@example.org/balcony");
      first.client().drop();
      ScriptedClient second = small.connect("juliet@example.org/hall");
      assertThat(second.jid()).isEqualTo("juliet@example.org/hall");
    }
  }
}
