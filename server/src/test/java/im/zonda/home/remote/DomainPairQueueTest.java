package im.zonda.home.remote;

import static im.zonda.home.remote.RemoteServer.PAIR;
import static im.zonda.home.remote.RemoteServer.message;
import static im.zonda.home.remote.RemoteServer.texts;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.simulation.SimulatedClock;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DomainPairQueueTest {
  private final RemoteServer server = new RemoteServer();
  private final TestStream stream = new TestStream();

  private static Iq iq(Iq.Type type, String id) {
    return Iq.of(
        type,
        Jid.of("romeo@verona.example/orchard"),
        Jid.of("mantua.example"),
        id,
        Element.of("urn:xmpp:ping", "ping"));
  }

  private static Presence presence(Presence.Type type, String from, String to) {
    return Presence.of(type, Jid.of(from), Jid.of(to), "p", List.of());
  }

  /// A stanza as text, to tell when nothing was changed.
  private static boolean isDelayed(Stanza stanza) {
    return stanza.payloads().stream().anyMatch(each -> each.is("urn:xmpp:delay", "delay"));
  }

  @Test
  void asksForAStreamOnceAndDeliversInOrderWhenItIsReady() {
    server.send(message("one"));
    server.send(message("two"));
    assertThat(server.attempts).containsExactly(PAIR);
    server.ready(stream);
    server.send(message("three"));
    assertThat(texts(stream)).containsExactly("one", "two", "three");
    assertThat(stream.numbers).containsExactly(1L, 2L, 3L);
    assertThat(server.attempts).hasSize(1);
    assertThat(stream.delivered).noneMatch(DomainPairQueueTest::isDelayed);
  }

  @Test
  void waitsInTheLogUntilTheOtherServerHasAcknowledged() {
    server.send(message("one"));
    server.send(message("two"));
    server.ready(stream);
    server.send(message("three"));
    assertThat(server.waiting()).containsExactly("one", "two", "three");
    server.domains.acknowledged(PAIR, 2, stream);
    assertThat(server.waiting()).containsExactly("three");
    server.acknowledged(stream);
    assertThat(server.waiting()).isEmpty();
    assertThat(server.domains.queuedBytes()).isZero();
  }

  /// A connection that is given too much at once ends, and so would the next one.
  @Test
  void aStreamIsGivenNoMoreThanMayBeOnItsWay() {
    String large = "x".repeat(RemoteServer.WINDOW / 4);
    for (int i = 0; i < 20; i++) {
      server.send(message(i + large));
    }
    server.ready(stream);
    assertThat(stream.delivered).hasSizeBetween(1, 4);
    for (int rounds = 0; stream.delivered.size() < 20 && rounds < 20; rounds++) {
      server.acknowledged(stream);
    }
    assertThat(texts(stream)).hasSize(20).startsWith("0" + large).endsWith("19" + large);
  }

  @Test
  void sendsAgainWhatWasNotAcknowledgedOnTheNextStream() {
    server.send(message("one"));
    server.send(message("two"));
    server.ready(stream);
    server.domains.acknowledged(PAIR, 1, stream);
    server.ended(stream);
    assertThat(server.attempts).as("at once, because the stream has worked").hasSize(2);
    server.send(message("three"));
    TestStream next = new TestStream();
    server.ready(next);
    assertThat(texts(next)).containsExactly("two", "three");
    assertThat(next.delivered.getFirst().id()).isEqualTo(stream.delivered.getLast().id());
    server.acknowledged(next);
    assertThat(server.waiting()).isEmpty();
  }

  @Test
  void anAcknowledgementOfAStreamThatHasEndedCountsNothing() {
    server.send(message("one"));
    server.ready(stream);
    server.ended(stream);
    server.acknowledged(stream);
    assertThat(server.waiting()).containsExactly("one");
  }

  @Test
  void afterACrashTheStreamIsOpenedAgainAndMessagesAreSentWithTheSameIds() {
    server.send(message("one").withAddresses(Jid.of("romeo@verona.example"), juliet()));
    Message nameless =
        Message.of(
            Message.Type.CHAT,
            Jid.of("romeo@verona.example"),
            juliet(),
            null,
            List.of(Element.builder(Namespaces.CLIENT, "body").text("two").build()));
    server.send(nameless);
    server.send(iq(Iq.Type.GET, "ping"));
    server.ready(stream);
    assertThat(stream.delivered.get(1).id()).isNotNull();
    RemoteServer restarted = server.restart();
    assertThat(restarted.attempts).containsExactly(PAIR);
    TestStream next = new TestStream();
    restarted.ready(next);
    assertThat(texts(next)).containsExactly("one", "two");
    assertThat(next.delivered.stream().map(Stanza::id))
        .containsExactly(stream.delivered.get(0).id(), stream.delivered.get(1).id());
    restarted.acknowledged(next);
    assertThat(restarted.waiting()).isEmpty();
    assertThat(restarted.restart().attempts).isEmpty();
  }

  private static Jid juliet() {
    return Jid.of("juliet@mantua.example");
  }

  @Test
  void chatStatesAndWhatMustNotBeStoredAreInMemoryOnly() {
    Message state =
        Message.of(
            Message.Type.CHAT,
            Jid.of("romeo@verona.example"),
            juliet(),
            "s",
            List.of(Element.of("http://jabber.org/protocol/chatstates", "composing")));
    server.send(state);
    server.send(message("secret").withPayload(Element.of("urn:xmpp:hints", "no-store")));
    server.send(message(Message.Type.HEADLINE, "juliet@mantua.example", "news"));
    server.send(message(Message.Type.GROUPCHAT, "juliet@mantua.example/balcony", "copy"));
    assertThat(server.waiting()).isEmpty();
    server.send(message(Message.Type.GROUPCHAT, "garden@mantua.example", "said"));
    assertThat(server.waiting()).containsExactly("said");
    server.ready(stream);
    assertThat(texts(stream)).containsExactly("message", "secret", "news", "copy", "said");
  }

  @Test
  void retriesAtGrowingIntervalsAndStampsWhatHasWaited() {
    server.send(message("one"));
    for (int i = 0; i < 5; i++) {
      int before = server.attempts.size();
      server.failed(Reason.UNREACHABLE);
      assertThat(server.attempts).as("not at once").hasSize(before);
      server.time.advance(Duration.ofSeconds(60));
      assertThat(server.attempts).hasSize(before + 1);
    }
    assertThat(server.errors()).isEmpty();
    server.ready(stream);
    server.send(message("two"));
    assertThat(stream.delivered.stream().map(DomainPairQueueTest::isDelayed))
        .containsExactly(true, false);
    Element delay =
        Objects.requireNonNull(
            stream.delivered.getFirst().payload(new QName("urn:xmpp:delay", "delay")));
    assertThat(delay.attribute("from")).isEqualTo("verona.example");
    assertThat(delay.attribute("stamp")).isEqualTo("2026-01-01T00:00:00.000Z");
  }

  @Test
  void aServerThatHasOpenedAStreamIsConnectedToAtOnce() {
    server.send(message("one"));
    for (int i = 0; i < 5; i++) {
      server.failed(Reason.UNREACHABLE);
      server.time.advance(Duration.ofSeconds(60));
    }
    server.failed(Reason.UNREACHABLE);
    int before = server.attempts.size();
    stream.incoming = true;
    server.accepted(stream);
    assertThat(server.attempts).hasSize(before + 1);
    server.accepted(new TestStream());
    assertThat(server.attempts).as("one attempt at a time").hasSize(before + 1);
    server.failed(Reason.UNREACHABLE);
    server.time.advance(Duration.ofSeconds(60));
    assertThat(server.attempts).hasSize(before + 2);
  }

  @Test
  void aDomainThatDidNotExistIsConnectedToOnceItHasOpenedAStream() {
    server.send(message("one"));
    server.failed(Reason.NO_SUCH_DOMAIN);
    server.send(message("two"));
    assertThat(server.errors()).hasSize(2);
    stream.incoming = true;
    server.accepted(stream);
    server.send(message("three"));
    assertThat(server.errors()).hasSize(2);
    assertThat(server.attempts).hasSize(2);
  }

  @Test
  void aBidirectionalStreamOfTheOtherServerIsWaitedFor() {
    server.send(message("one"));
    server.failed(Reason.UNREACHABLE);
    stream.incoming = true;
    stream.bidirectional = true;
    server.accepted(stream);
    assertThat(server.attempts).hasSize(1);
    server.ready(stream);
    assertThat(texts(stream)).containsExactly("one");
  }

  @Test
  void givesUpAfterTheConfiguredTimeWithOneErrorForEachSender() {
    server.send(message("one"));
    server.failed(Reason.UNREACHABLE);
    server.time.advance(Duration.ofMinutes(9));
    server.send(message("two"));
    server.sweep();
    assertThat(server.errors()).isEmpty();
    server.time.advance(Duration.ofMinutes(1));
    server.failed(Reason.TIMEOUT);
    assertThat(server.errors()).containsExactly("message id-one remote-server-timeout");
    assertThat(server.waiting()).containsExactly("two");
    server.time.advance(Duration.ofMinutes(9));
    server.failed(Reason.TIMEOUT);
    assertThat(server.errors())
        .containsExactly(
            "message id-one remote-server-timeout", "message id-two remote-server-timeout");
    server.time.advance(Duration.ofMinutes(30));
    server.sweep();
    assertThat(server.errors()).hasSize(2);
    assertThat(server.waiting()).isEmpty();
  }

  @Test
  void givesUpOnceAlsoWithARestartInBetween() {
    server.send(message("one"));
    server.failed(Reason.UNREACHABLE);
    server.time.advance(Duration.ofMinutes(5));
    RemoteServer restarted = server.restart();
    restarted.failed(Reason.UNREACHABLE);
    assertThat(restarted.errors()).isEmpty();
    restarted.time.advance(Duration.ofMinutes(5));
    restarted.failed(Reason.UNREACHABLE);
    assertThat(restarted.errors()).containsExactly("message id-one remote-server-timeout");
    RemoteServer again = restarted.restart();
    again.time.advance(Duration.ofMinutes(20));
    again.sweep();
    assertThat(again.errors()).isEmpty();
    assertThat(again.attempts).isEmpty();
  }

  @Test
  void afterTheClockWasSetBackAMessageIsStillReturnedInTime() {
    server.time.advance(Duration.ofDays(1));
    server.send(message("one"));
    RemoteServer next =
        new RemoteServer(PAIR.local(), new SimulatedClock(), server.data, UnaryOperator.identity());
    next.sweep();
    next.time.advance(next.settings.giveUpOf(PAIR.remote()));
    next.failed(Reason.UNREACHABLE);
    assertThat(next.errors()).containsExactly("message id-one remote-server-timeout");
  }

  @Test
  void aDomainThatDoesNotExistIsReportedAtOnce() {
    server.send(message("one"));
    server.send(iq(Iq.Type.GET, "ping"));
    server.failed(Reason.NO_SUCH_DOMAIN);
    server.send(message("two"));
    assertThat(server.errors())
        .containsExactly(
            "message id-one remote-server-not-found",
            "iq ping remote-server-not-found",
            "message id-two remote-server-not-found");
    assertThat(server.attempts).as("none while the answer is fresh").hasSize(1);
    server.time.advance(Duration.ofMinutes(2));
    server.send(message("three"));
    assertThat(server.attempts).hasSize(2);
  }

  @Test
  void requestsWaitAMinuteAndAreNotCarriedOutTwice() {
    server.send(iq(Iq.Type.GET, "get"));
    server.send(iq(Iq.Type.SET, "set"));
    server.ready(stream);
    server.ended(stream);
    assertThat(server.errors()).containsExactly("iq set remote-server-timeout");
    server.failed(Reason.UNREACHABLE);
    server.time.advance(Duration.ofSeconds(61));
    server.failed(Reason.UNREACHABLE);
    assertThat(server.errors())
        .containsExactly("iq set remote-server-timeout", "iq get remote-server-timeout");
  }

  @Test
  void onlyDirectedPresenceAndSubscriptionRequestsComeBack() {
    String juliet = "juliet@mantua.example";
    String room = "garden@rooms.verona.example/Romeo";
    server.send(presence(Presence.Type.AVAILABLE, "romeo@verona.example/orchard", juliet));
    server.send(presence(Presence.Type.AVAILABLE, room, juliet + "/balcony"));
    server.send(presence(Presence.Type.UNAVAILABLE, room, juliet + "/balcony"));
    server.send(presence(Presence.Type.PROBE, "romeo@verona.example", juliet));
    server.send(presence(Presence.Type.SUBSCRIBE, "romeo@verona.example", juliet));
    server.send(iq(Iq.Type.RESULT, "result"));
    server.domains.failed(
        new DomainPair("rooms.verona.example", "mantua.example"),
        new ServerStreamFailure(Reason.NO_SUCH_DOMAIN, "the test"));
    server.failed(Reason.NO_SUCH_DOMAIN);
    assertThat(server.errors())
        .containsExactly(
            "presence p remote-server-not-found", "presence p remote-server-not-found");
    assertThat(server.arrived.getFirst().stanza().to()).isEqualTo(Jid.of(room));
  }

  @Test
  void anotherStreamIsUsedOnlyWhenTheFirstHasEnded() {
    TestStream second = new TestStream();
    server.ready(stream);
    server.ready(second);
    server.send(message("one"));
    assertThat(texts(stream)).containsExactly("one");
    assertThat(second.delivered).isEmpty();
    server.ended(stream);
    assertThat(texts(second)).containsExactly("one");
    assertThat(server.attempts).isEmpty();
  }

  @Test
  void anInterruptedStreamIsResumedBeforeAnythingElseIsSent() {
    server.ready(stream);
    server.send(message("one"));
    server.domains.interrupted(PAIR, stream);
    server.send(message("two"));
    assertThat(server.attempts).hasSize(1);
    assertThat(texts(stream)).containsExactly("one");
    server.domains.resumed(PAIR, stream);
    assertThat(texts(stream)).containsExactly("one", "two");
    server.acknowledged(stream);
    assertThat(server.waiting()).isEmpty();
  }

  @Test
  void anAttemptWithoutAnOutcomeHasFailed() {
    server.send(message("one"));
    server.time.advance(Duration.ofMinutes(2));
    server.sweep();
    server.time.advance(Duration.ofSeconds(2));
    assertThat(server.attempts).hasSize(2);
  }

  @Test
  void aFailureOfAnotherAttemptDoesNotConcernAWorkingStream() {
    server.ready(stream);
    server.failed(Reason.NO_SUCH_DOMAIN);
    server.send(message("one"));
    assertThat(texts(stream)).containsExactly("one");
    assertThat(server.errors()).isEmpty();
  }

  @Test
  void whatTheOtherServerDoesNotAcceptComesBack() {
    stream.mostBytes = 10_000;
    server.send(message("x".repeat(10_000)));
    server.send(message("small"));
    server.ready(stream);
    assertThat(texts(stream)).containsExactly("small");
    assertThat(server.errors())
        .containsExactly("message id-" + "x".repeat(10_000) + " policy-violation");
    assertThat(server.waiting()).containsExactly("small");
  }

  @Test
  void showsWhatItIs() {
    server.send(message("one"));
    server.failed(Reason.NOT_TRUSTED);
    RemoteLinkStatus status = server.domains.links(Duration.ofSeconds(1)).getFirst();
    assertThat(status.pair()).isEqualTo(PAIR);
    assertThat(status.waiting()).isEqualTo(1);
    assertThat(status.retryAt()).isGreaterThan(server.time.millis());
    assertThat(status.lastFailure())
        .isEqualTo(new ServerStreamFailure(Reason.NOT_TRUSTED, "made to fail by the test"));
    server.ready(stream);
    assertThat(server.domains.links(Duration.ofSeconds(1)).getFirst().unacknowledged())
        .isEqualTo(1);
  }
}
