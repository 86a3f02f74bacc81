package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.S2sLimits;
import im.zonda.link.DomainPair;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that resume what is not theirs, or not as they may (XEP-0198, section 5), in scripted
/// bytes.
final class ResumptionAttackTest {
  private static final String HEADER =
      "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
          + " xmlns:db='jabber:server:dialback' from='a.example' to='here.example' version='1.0'>";
  private static final String AUTH =
      "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>=</auth>";
  private static final String ENABLE = "<enable xmlns='urn:xmpp:sm:3' resume='true'/>";
  private static final String MESSAGE = "<message from='u@a.example' to='v@here.example'/>";
  private static final String NOT_FOUND =
      "<failed xmlns='urn:xmpp:sm:3'>"
          + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>";
  private static final String UNEXPECTED =
      "<failed xmlns='urn:xmpp:sm:3'>"
          + "<unexpected-request xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>";

  private final TestServer here =
      new TestServer(
          new S2sLimits(
              1 << 20,
              1 << 20,
              100,
              Duration.ofMinutes(5),
              16,
              0,
              new ConnectionLimits(20, 500, 1_000)),
          "here.example",
          "rooms.here.example");

  private TestServer.End authenticated(String header) {
    TestServer.End in = here.connect(here.streams.incoming());
    in.transport.secure = true;
    in.transport.certificates = TestCertificates.presented(TestCertificates.NAMES, null);
    in.send(header);
    assertThat(in.send(AUTH)).contains("<success ");
    in.send(header);
    return in;
  }

  private TestServer.End authenticated() {
    return authenticated(HEADER);
  }

  private static String idOf(String enabled) {
    return enabled.replaceFirst("(?s).* id='([^']*)'.*", "$1");
  }

  private static String resume(String id, long h) {
    return "<resume xmlns='urn:xmpp:sm:3' previd='" + id + "' h='" + h + "'/>";
  }

  /// An interrupted link of `a.example` on which one message was handled; returns its identifier.
  private String interrupted() {
    TestServer.End in = authenticated();
    String id = idOf(in.send(ENABLE));
    in.send(MESSAGE);
    here.gate.link().handled(1);
    in.cut();
    return id;
  }

  @Test
  void row43_row48_nothingIsResumedBeforeAuthentication() {
    String id = interrupted();
    TestServer.End in = here.connect(here.streams.incoming());
    in.transport.secure = true;
    in.transport.certificates = TestCertificates.presented(TestCertificates.NAMES, null);
    in.send(HEADER);
    assertThat(in.send(resume(id, 0))).isEqualTo(UNEXPECTED);
    assertThat(in.send(ENABLE)).isEqualTo(UNEXPECTED);
    assertThat(authenticated().send(resume(id, 0))).contains("<resumed ");
  }

  /// With a certificate for it, so that it could prove the domain of the link as well.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "from='x.b.example' to='here.example'",
        "from='a.example' to='rooms.here.example'"
      })
  void row48_anIdentifierOfAnotherPairIsNotFound(String addresses) {
    String id = interrupted();
    TestServer.End other =
        authenticated(HEADER.replace("from='a.example' to='here.example'", addresses));
    assertThat(other.send(resume(id, 0))).isEqualTo(NOT_FOUND);
    assertThat(here.gate.take()).noneMatch(event -> event.startsWith("resumed"));
    assertThat(authenticated().send(resume(id, 0)))
        .as("the owner of the link still can")
        .isEqualTo("<resumed xmlns='urn:xmpp:sm:3' h='1' previd='" + id + "'/>");
  }

  @Test
  void row48_anUnknownIdentifierIsNotFound() {
    interrupted();
    TestServer.End in = authenticated();
    assertThat(in.send(resume("guessed", 0))).isEqualTo(NOT_FOUND);
    assertThat(in.send(ENABLE)).contains("<enabled ");
  }

  @Test
  void row48_aLinkOfSeveralDomainsNeedsTheProofOfAll() {
    TestServer.End in = authenticated();
    in.send(
        "<db:result from='x.b.example' to='here.example'>k</db:result>"
            + "<db:result from='a.example' to='rooms.here.example'>k</db:result>");
    String id = idOf(in.send(ENABLE));
    in.cut();
    TestServer.End other = here.connect(here.streams.incoming());
    other.transport.secure = true;
    other.transport.certificates = TestCertificates.presented(TestCertificates.ONLY_A, null);
    other.send(HEADER);
    other.send(AUTH);
    other.send(HEADER);
    assertThat(other.send(resume(id, 0))).isEqualTo(NOT_FOUND);
    assertThat(authenticated().send(resume(id, 0))).contains("<resumed ");
  }

  @Test
  void row48_aDomainThatIsDeniedNowResumesNothing() {
    TestServer.End in = authenticated();
    in.send("<db:result from='x.b.example' to='here.example'>k</db:result>");
    String id = idOf(in.send(ENABLE));
    in.cut();
    here.denied.add("x.b.example");
    assertThat(authenticated().send(resume(id, 0))).isEqualTo(NOT_FOUND);
  }

  @Test
  void row48_aCountThatIsTooHighEndsTheStream() {
    String id = interrupted();
    TestServer.End in = authenticated();
    assertThat(in.send(resume(id, 1)))
        .contains("<undefined-condition ")
        .contains("<handled-count-too-high xmlns='urn:xmpp:sm:3' h='1' send-count='0'/>");
    assertThat(in.transport.closed).isTrue();
    assertThat(authenticated().send(resume(id, 0))).contains("<resumed ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<resume xmlns='urn:xmpp:sm:3' h='0'/>",
        "<resume xmlns='urn:xmpp:sm:3' previd='x'/>",
        "<resume xmlns='urn:xmpp:sm:3' previd='x' h='-1'/>",
        "<resume xmlns='urn:xmpp:sm:3' previd='x' h='4294967296'/>"
      })
  void row48_aRequestIsComplete(String resume) {
    assertThat(authenticated().send(resume)).contains("<bad-request ");
  }

  @Test
  void row48_aStreamThatIsInUseResumesNothing() {
    String id = interrupted();
    TestServer.End managed = authenticated();
    managed.send(ENABLE);
    assertThat(managed.send(resume(id, 0))).isEqualTo(UNEXPECTED);
    TestServer.End used = authenticated();
    used.send(MESSAGE);
    assertThat(used.send(resume(id, 0))).isEqualTo(UNEXPECTED);
    assertThat(used.send(ENABLE))
        .as("not all is counted")
        .isEqualTo("<enabled xmlns='urn:xmpp:sm:3'/>");
  }

  @Test
  void row48_aSecondResumptionTakesTheLinkFromTheFirst() {
    String id = interrupted();
    TestServer.End first = authenticated();
    assertThat(first.send(resume(id, 0))).contains("<resumed ");
    assertThat(first.send(resume(id, 0))).isEqualTo(UNEXPECTED);
    assertThat(first.send(ENABLE)).isEqualTo(UNEXPECTED);
    TestServer.End second = authenticated();
    second.send(resume(id, 0));
    assertThat(first.output()).contains("<conflict ");
    assertThat(second.output()).contains("<resumed ");
    here.gate.take();
    assertThat(second.send(MESSAGE)).isEmpty();
    assertThat(here.gate.take()).containsExactly("received 2 here.example a.example");
  }

  @Test
  void row48_twoResumptionsAtOnceHaveOneWinner() {
    TestServer.End in = authenticated();
    String id = idOf(in.send(ENABLE));
    in.send(MESSAGE);
    var link = here.gate.link();
    in.cut();
    TestServer.End first = authenticated();
    assertThat(first.send(resume(id, 0))).as("a message is being handled").isEmpty();
    TestServer.End second = authenticated();
    assertThat(second.send(resume(id, 0))).isEmpty();
    link.handled(1);
    assertThat(second.output()).contains("<resumed ");
    first.transport.now += 60_000;
    first.bytes.stream().tick();
    assertThat(first.output()).contains("<resource-constraint ");
  }

  /// It pays for that itself.
  @Test
  void row48_oneDomainKeepsFewInterruptedLinks() {
    String other = interruptedOf("x.b.example", "192.0.2.9");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i <= ResumableLinks.OF_DOMAIN; i++) {
      ids.add(interruptedOf("a.example", "192.0.2.1"));
    }
    assertThat(here.gate.take()).containsOnlyOnce("ended LOST here.example a.example");
    assertThat(authenticated().send(resume(ids.getFirst(), 0)))
        .contains("<failed xmlns='urn:xmpp:sm:3' h='0'><item-not-found ");
    assertThat(authenticated().send(resume(ids.getLast(), 0))).contains("<resumed ");
    TestServer.End owner = authenticated(HEADER.replace("'a.example'", "'x.b.example'"));
    assertThat(owner.send(resume(other, 0))).contains("<resumed ");
  }

  @Test
  void row48_oneAddressKeepsFewInterruptedLinks() {
    String other = interruptedOf("a.example", "192.0.2.9");
    for (int i = 0; i < 40; i++) {
      interruptedOf("n" + i + ".b.example", "192.0.2.1");
    }
    assertThat(here.streams.resumable().size()).isEqualTo(16);
    assertThat(authenticated().send(resume(other, 0))).contains("<resumed ");
  }

  private String interruptedOf(String domain, String address) {
    TestServer.End in = here.connect(here.streams.incoming());
    in.transport.address = address(address);
    in.transport.secure = true;
    in.transport.certificates = TestCertificates.presented(TestCertificates.NAMES, null);
    String header = HEADER.replace("'a.example'", "'" + domain + "'");
    in.send(header);
    in.send(AUTH);
    in.send(header);
    String id = idOf(in.send(ENABLE));
    in.cut();
    return id;
  }

  private static InetAddress address(String text) {
    return InetAddress.ofLiteral(text);
  }

  @Test
  void identifiersAreNotUsedAgain() {
    assertThat(interrupted()).isNotEqualTo(interrupted());
  }

  // ---- the other server of a stream that this one has opened

  private static final DomainPair PAIR = new DomainPair("here.example", "a.example");
  private static final String ANSWER =
      "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
          + " from='a.example' id='1' version='1.0'>";

  private TestServer.End opened() {
    TestServer.End out = here.connect(here.streams.outgoing(PAIR).profile(TestServer.target()));
    out.transport.secure = true;
    out.transport.certificates = TestCertificates.presented(TestCertificates.NAMES, null);
    out.bytes.stream().secured();
    out.send(
        ANSWER
            + "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
            + "<mechanism>EXTERNAL</mechanism></mechanisms></stream:features>");
    out.send("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>");
    return out;
  }

  private static String features(TestServer.End out) {
    return out.send(ANSWER + "<stream:features><sm xmlns='urn:xmpp:sm:3'/></stream:features>");
  }

  /// A link on which one stanza was sent, and whose connection is lost.
  private void interruptedHere() {
    TestServer.End out = opened();
    assertThat(features(out)).contains("<enable xmlns='urn:xmpp:sm:3' max='300' resume='true'/>");
    out.send("<enabled xmlns='urn:xmpp:sm:3' id='theirs' resume='true' max='60'/>");
    here.gate.link().deliver(PAIR, TestStanzas.message("v@here.example", "u@a.example", "m"), 1, 0);
    out.cut();
    assertThat(here.gate.take())
        .containsExactly("ready here.example a.example", "interrupted here.example a.example");
  }

  @Test
  void row48_aServerThatResumedMoreThanWasSentIsRejected() {
    interruptedHere();
    TestServer.End out = opened();
    assertThat(features(out)).isEqualTo("<resume xmlns='urn:xmpp:sm:3' h='0' previd='theirs'/>");
    assertThat(out.send("<resumed xmlns='urn:xmpp:sm:3' previd='theirs' h='2'/>"))
        .contains("<handled-count-too-high xmlns='urn:xmpp:sm:3' h='2' send-count='1'/>");
    assertThat(here.gate.take())
        .containsExactly(
            "ended LOST here.example a.example", "failed here.example a.example CLOSED");
  }

  @Test
  void row48_anAnswerWithoutACountEndsTheLink() {
    interruptedHere();
    TestServer.End out = opened();
    features(out);
    assertThat(out.send("<resumed xmlns='urn:xmpp:sm:3' previd='theirs'/>"))
        .contains("<bad-format ");
    assertThat(here.gate.take()).contains("ended LOST here.example a.example");
  }

  @Test
  void anotherIdentifierIsNotWhatWasAskedFor() {
    interruptedHere();
    TestServer.End out = opened();
    features(out);
    assertThat(out.send("<resumed xmlns='urn:xmpp:sm:3' previd='other' h='0'/>"))
        .contains("<bad-format ");
  }

  @Test
  void aResumptionThatWasNotAskedForEndsTheStream() {
    TestServer.End out = opened();
    features(out);
    assertThat(out.send("<resumed xmlns='urn:xmpp:sm:3' previd='x' h='0'/>"))
        .contains("<unsupported-stanza-type ");
  }

  @Test
  void theOtherServersTimeBoundsOurs() {
    interruptedHere();
    here.now = here.now.plusSeconds(60);
    here.streams.sweep();
    assertThat(here.gate.take()).containsExactly("ended LOST here.example a.example");
  }

  @Test
  void aServerThatNoLongerAcknowledgesGetsANewStream() {
    interruptedHere();
    TestServer.End out = opened();
    assertThat(out.send(ANSWER + "<stream:features/>")).isEmpty();
    assertThat(here.gate.take())
        .containsExactly("ended LOST here.example a.example", "ready here.example a.example");
  }

  @Test
  void aRefusalWithoutACountSendsAgainOnANewStream() {
    interruptedHere();
    TestServer.End out = opened();
    features(out);
    assertThat(out.send(NOT_FOUND)).contains("<enable ");
    out.send("<enabled xmlns='urn:xmpp:sm:3'/>");
    assertThat(here.gate.take())
        .containsExactly("ended LOST here.example a.example", "ready here.example a.example");
    out.cut();
    assertThat(here.gate.take())
        .as("a stream that cannot be resumed")
        .containsExactly("ended LOST here.example a.example");
  }

  @ParameterizedTest
  @ValueSource(strings = {"resume='true'", "resume='true' id=''", "resume='0' id='x'", "id='x'"})
  void aStreamWithoutAnIdentifierIsNotResumed(String attributes) {
    TestServer.End out = opened();
    features(out);
    out.send("<enabled xmlns='urn:xmpp:sm:3' " + attributes + "/>");
    here.gate.take();
    out.cut();
    assertThat(here.gate.take()).containsExactly("ended LOST here.example a.example");
  }

  @Test
  void anIdentifierThatIsTooLongIsNotKept() {
    aStreamWithoutAnIdentifierIsNotResumed("resume='true' id='" + "x".repeat(4_001) + "'");
  }
}
