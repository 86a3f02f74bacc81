package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamLink;
import im.zonda.stanza.Stanza;
import im.zonda.stream.PeerCertificates;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Streams between two servers of ours whose connections are lost: `a.example` opens one to
/// `x.b.example` and resumes it (XEP-0198, section 5).
final class ServerResumptionTest {
  private static final DomainPair FORTH = new DomainPair("a.example", "x.b.example");
  private static final DomainPair BACK = new DomainPair("x.b.example", "a.example");
  private static final PeerCertificates GOOD =
      TestCertificates.presented(TestCertificates.NAMES, null);

  private final TestServer a = new TestServer("a.example");
  private final TestServer b = new TestServer("x.b.example");
  private TestServer.End out = a.connect(a.streams.outgoing(FORTH).profile(TestServer.target()));
  private TestServer.End in = b.connect(b.streams.incoming());
  private ServerStreamLink forth;
  private ServerStreamLink back;

  @BeforeEach
  void open() {
    connect();
    forth = a.gate.link();
    back = b.gate.link();
    a.gate.take();
    b.gate.take();
  }

  /// Opens another connection; returns what is said on it.
  private String connect() {
    out = a.connect(a.streams.outgoing(FORTH).profile(TestServer.target()));
    in = b.connect(b.streams.incoming());
    out.transport.certificates = GOOD;
    in.transport.certificates = GOOD;
    out.bytes.stream().connected();
    return TestServer.join(out, in);
  }

  private void cut() {
    out.cut();
    in.cut();
  }

  private void send(int number) {
    forth.deliver(
        FORTH, TestStanzas.message("u@a.example", "v@x.b.example", "m" + number), number, 0);
  }

  private void sendBack(int number) {
    back.deliver(
        BACK, TestStanzas.message("v@x.b.example", "u@a.example", "n" + number), number, 0);
  }

  private static List<String> bodies(TestServer server) {
    return server.gate.stanzas.stream().map(TestStanzas::body).toList();
  }

  private static void handleAll(ServerStreamLink link, int from, int to) {
    for (int i = from; i <= to; i++) {
      link.handled(i);
    }
  }

  @Test
  void whatWasLostWithTheConnectionIsSentAgainOnce() {
    send(1);
    send(2);
    TestServer.join(out, in);
    handleAll(back, 1, 2);
    send(3);
    sendBack(1);
    assertThat(out.output()).contains("m3");
    assertThat(in.output()).contains("n1").as("an acknowledgement is lost").contains("h='2'");
    cut();
    assertThat(a.gate.take()).containsExactly("interrupted a.example x.b.example");
    assertThat(b.gate.take())
        .containsExactly(
            "received 1 x.b.example a.example",
            "received 2 x.b.example a.example",
            "interrupted x.b.example a.example");
    assertThat(forth.status().connected()).isFalse();

    assertThat(connect())
        .contains("<resume xmlns='urn:xmpp:sm:3' h='0' previd='id4'/>")
        .contains("<resumed xmlns='urn:xmpp:sm:3' h='2' previd='id4'/>")
        .doesNotContain("<enable ");
    assertThat(a.gate.take())
        .containsExactly(
            "acknowledged 2 a.example x.b.example",
            "resumed a.example x.b.example",
            "received 1 a.example x.b.example");
    assertThat(b.gate.take())
        .containsExactly(
            "accepted x.b.example a.example",
            "resumed x.b.example a.example",
            "ended CLOSED x.b.example a.example",
            "received 3 x.b.example a.example");
    assertThat(bodies(b)).containsExactly("m1", "m2", "m3");
    assertThat(bodies(a)).containsExactly("n1");
    assertThat(forth.status().connected()).isTrue();

    send(4);
    TestServer.join(out, in);
    handleAll(b.gate.link(), 3, 4);
    assertThat(TestServer.join(out, in)).contains("<a xmlns='urn:xmpp:sm:3' h='4'/>");
    assertThat(a.gate.take()).containsExactly("acknowledged 4 a.example x.b.example");
  }

  @Test
  void whatIsDeliveredWhileThereIsNoConnectionWaits() {
    cut();
    send(1);
    sendBack(1);
    assertThat(out.output()).isEmpty();
    connect();
    assertThat(bodies(b)).containsExactly("m1");
    assertThat(bodies(a)).containsExactly("n1");
  }

  @Test
  void aStreamIsResumedAgainAndAgain() {
    for (int i = 1; i <= 5; i++) {
      send(i);
      TestServer.join(out, in);
      cut();
      back.handled(i);
      assertThat(connect()).contains("<resumed xmlns='urn:xmpp:sm:3' h='" + i + "' previd='id4'/>");
    }
    assertThat(bodies(b)).containsExactly("m1", "m2", "m3", "m4", "m5");
  }

  /// Otherwise the other server would send it again, and it would come twice.
  @Test
  void aResumptionWaitsUntilAllThatCameInHasBeenHandled() {
    send(1);
    TestServer.join(out, in);
    cut();
    b.gate.take();
    assertThat(connect()).contains("<resume ").doesNotContain("<resumed ");
    back.handled(1);
    assertThat(TestServer.join(out, in)).contains("<resumed xmlns='urn:xmpp:sm:3' h='1' ");
    assertThat(bodies(b)).containsExactly("m1");
  }

  @Test
  void theInitiatingSideWaitsToo() {
    sendBack(1);
    TestServer.join(out, in);
    cut();
    assertThat(connect()).doesNotContain("<resume ");
    forth.handled(1);
    assertThat(TestServer.join(out, in))
        .contains("<resume xmlns='urn:xmpp:sm:3' h='1' previd='id4'/>");
    assertThat(bodies(a)).containsExactly("n1");
  }

  @Test
  void whatIsNotHandledInTimeIsResumedLater() {
    send(1);
    TestServer.join(out, in);
    cut();
    connect();
    in.transport.now += 60_000;
    in.bytes.stream().tick();
    assertThat(TestServer.join(out, in)).contains("<resource-constraint ");
    assertThat(a.gate.take()).contains("failed a.example x.b.example CLOSED");
    back.handled(1);
    assertThat(connect()).contains("<resumed xmlns='urn:xmpp:sm:3' h='1' ");
    assertThat(bodies(b)).containsExactly("m1");
  }

  /// The other server has not noticed that the connection is lost.
  @Test
  void aResumedStreamReplacesTheOldOne() {
    send(1);
    out.cut();
    TestServer.End old = in;
    assertThat(connect()).contains("<resume ").doesNotContain("<resumed ");
    assertThat(old.output()).contains("<conflict ");
    assertThat(TestServer.join(out, in)).contains("<resumed ");
    assertThat(old.transport.closed).isTrue();
    assertThat(bodies(b)).containsExactly("m1");
    assertThat(b.gate.take())
        .containsExactly(
            "accepted x.b.example a.example",
            "interrupted x.b.example a.example",
            "resumed x.b.example a.example",
            "ended CLOSED x.b.example a.example",
            "received 1 x.b.example a.example");
  }

  @Test
  void aServerThatHasRestartedGetsANewStream() {
    send(1);
    TestServer.join(out, in);
    cut();
    a.gate.take();
    TestServer restarted = new TestServer("x.b.example");
    out = a.connect(a.streams.outgoing(FORTH).profile(TestServer.target()));
    in = restarted.connect(restarted.streams.incoming());
    out.transport.certificates = GOOD;
    in.transport.certificates = GOOD;
    out.bytes.stream().connected();
    assertThat(TestServer.join(out, in))
        .contains("<failed xmlns='urn:xmpp:sm:3'><item-not-found ")
        .contains("<enabled ");
    assertThat(a.gate.take())
        .containsExactly(
            "ended LOST a.example x.b.example",
            "accepted a.example x.b.example",
            "ready a.example x.b.example");
    assertThat(restarted.gate.take()).contains("ready x.b.example a.example");
  }

  /// The count that comes with the refusal says what need not be sent again.
  @Test
  void aStreamThatWaitedTooLongIsNotResumed() {
    send(1);
    send(2);
    TestServer.join(out, in);
    handleAll(back, 1, 1);
    cut();
    back.handled(2);
    send(3);
    b.now = b.now.plus(Duration.ofMinutes(6));
    b.streams.sweep();
    assertThat(b.gate.take()).contains("ended LOST x.b.example a.example");
    a.gate.take();
    assertThat(connect()).contains("<failed xmlns='urn:xmpp:sm:3' h='2'><item-not-found ");
    assertThat(a.gate.take())
        .containsExactly(
            "acknowledged 2 a.example x.b.example",
            "ended LOST a.example x.b.example",
            "accepted a.example x.b.example",
            "ready a.example x.b.example");
  }

  @Test
  void aLinkThatIsNotResumedInTimeEnds() {
    cut();
    a.gate.take();
    a.now = a.now.plus(Duration.ofMinutes(5));
    a.streams.sweep();
    assertThat(a.gate.take()).containsExactly("ended LOST a.example x.b.example");
    assertThat(connect()).doesNotContain("<resume ").contains("<enable ");
  }

  @Test
  void anAttemptThatFailsIsRepeated() {
    send(1);
    cut();
    a.gate.take();
    out = a.connect(a.streams.outgoing(FORTH).profile(TestServer.target()));
    in = b.connect(b.streams.incoming());
    out.transport.certificates = GOOD;
    in.transport.certificates = GOOD;
    out.bytes.stream().connected();
    String said = TestServer.joinUntil(out, in, "<resume ");
    assertThat(said).doesNotContain("<resumed ");
    cut();
    assertThat(a.gate.take()).containsExactly("failed a.example x.b.example LOST");
    assertThat(connect()).contains("<resumed ");
    assertThat(bodies(b)).containsExactly("m1");
  }

  @Test
  void aClosedLinkIsNotResumed() {
    send(1);
    cut();
    a.gate.take();
    forth.close();
    assertThat(a.gate.take()).containsExactly("ended CLOSED a.example x.b.example");
    assertThat(connect()).doesNotContain("<resume ");
  }

  @Test
  void aLinkThatIsClosedWhileItsConnectionIsLostEnds() {
    forth.close();
    out.cut();
    assertThat(a.gate.take()).containsExactly("ended LOST a.example x.b.example");
  }

  @Test
  void aServerThatStopsResumesNothing() {
    out.bytes.stream().shutdown();
    assertThat(a.gate.take()).containsExactly("ended CLOSED a.example x.b.example");
    TestServer.join(out, in);
    assertThat(b.gate.take()).containsExactly("ended CLOSED x.b.example a.example");
  }

  @Test
  void aPauseOfReadingOutlivesTheConnection() {
    back.pauseReading();
    back.pauseReading();
    cut();
    back.resumeReading();
    connect();
    assertThat(in.transport.reading).isFalse();
    back.resumeReading();
    in.output();
    assertThat(in.transport.reading).isTrue();
  }

  @Test
  void stanzasAreSentAgainInTheirOrder() {
    for (int i = 1; i <= 20; i++) {
      send(i);
    }
    out.output();
    cut();
    connect();
    for (int i = 21; i <= 25; i++) {
      send(i);
    }
    TestServer.join(out, in);
    assertThat(b.gate.stanzas).hasSize(25);
    assertThat(b.gate.stanzas.stream().map(Stanza::id).distinct()).hasSize(25);
    assertThat(bodies(b)).first().isEqualTo("m1");
    assertThat(bodies(b)).last().isEqualTo("m25");
  }
}
