package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.STARTTLS;
import static im.zonda.stream.client.StreamTester.bind;
import static im.zonda.stream.client.StreamTester.header;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ChannelBinding;
import im.zonda.xml.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stream headers, features, restarts and ends (RFC 6120, sections 4 and 5).
final class StreamHeaderTest {
  @Test
  void theHeaderIsAnswered() {
    String answer =
        new StreamTester()
            .send(
                header("to='EXAMPLE.org' from='romeo@example.org/x' version='1.0' xml:lang='de'"));

    assertThat(answer)
        .startsWith("<?xml version='1.0'?><stream:stream xmlns='jabber:client'")
        .contains("xmlns:stream='http://etherx.jabber.org/streams'")
        .contains(" from='example.org'")
        .contains(" to='romeo@example.org'")
        .contains(" id='id1'")
        .contains(" version='1.0'")
        .contains(" xml:lang='en'");
  }

  @Test
  void aByteAtATimeIsTheSame() {
    assertThat(new StreamTester().trickle(HEADER)).isEqualTo(new StreamTester().send(HEADER));
  }

  @Test
  void everyHeaderHasAnIdOfItsOwn() {
    StreamTester tester = StreamTester.secure();
    tester.authenticate();

    assertThat(tester.send(HEADER)).contains(" id='id").doesNotContain("id='id1'");
  }

  @ParameterizedTest
  @CsvSource({
    "to='nowhere.example' version='1.0', host-unknown",
    "version='1.0', host-unknown",
    "to='romeo@example.org' version='1.0', host-unknown",
    "to='a b' version='1.0', improper-addressing",
    "to='' version='1.0', improper-addressing",
    "to='example.org', unsupported-version",
    "to='example.org' version='0.9', unsupported-version",
    "to='example.org' version='1', unsupported-version",
    "to='example.org' version='x.y', unsupported-version",
    "to='example.org' version='1.0.0', unsupported-version",
  })
  void headersThatEndTheStream(String attributes, String condition) {
    StreamTester tester = new StreamTester();

    assertThat(tester.send(header(attributes)))
        .startsWith("<?xml version='1.0'?><stream:stream ")
        .contains("<stream:error><" + condition + " xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>")
        .endsWith("</stream:stream>");
    assertThat(tester.transport.closed).isTrue();
  }

  /// RFC 6120, section 4.9.1.2: from a host or empty, but never left out.
  @ParameterizedTest
  @ValueSource(
      strings = {"to='' version='1.0'", "to='nowhere.example' version='1.0'", "version='1.0'"})
  void withoutAHostTheAnswerHasAnEmptyFrom(String attributes) {
    assertThat(new StreamTester().send(header(attributes)))
        .contains("<stream:error>")
        .contains(" from=''");
  }

  @Test
  void aLaterMinorVersionIsFine() {
    assertThat(new StreamTester().send(header("to='example.org' version='1.7'")))
        .contains("<stream:features>");
  }

  @Test
  void beforeTlsOnlyTlsIsOffered() {
    assertThat(new StreamTester().send(HEADER))
        .contains("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        .doesNotContain("mechanisms")
        .contains("<max-bytes>10000</max-bytes><idle-seconds>300</idle-seconds></limits>")
        .endsWith("</stream:features>");
  }

  @Test
  void plaintextOnLoopbackOffersBoth() {
    assertThat(new StreamTester(Limits.defaults(), true).send(HEADER))
        .contains("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        .contains("<mechanism>PLAIN</mechanism>");
  }

  @Test
  void plaintextIsForLoopbackOnly() {
    StreamTester tester = new StreamTester(Limits.defaults(), true);
    tester.transport.loopback = false;

    assertThat(tester.send(HEADER)).contains("<required/>").doesNotContain("mechanism");
  }

  @Test
  void overTlsMechanismsBindingsAndModulesAreOffered() {
    StreamTester tester = StreamTester.secure();
    tester.transport.bindings.put(ChannelBinding.TLS_EXPORTER, new byte[32]);
    tester.transport.bindings.put(ChannelBinding.TLS_SERVER_END_POINT, new byte[32]);
    tester.fixture.featuresBefore.add(Element.of("urn:before", "register"));

    assertThat(tester.send(HEADER))
        .doesNotContain("starttls")
        .contains(
            "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
                + "<mechanism>SCRAM-SHA-512-PLUS</mechanism>"
                + "<mechanism>SCRAM-SHA-256-PLUS</mechanism>"
                + "<mechanism>SCRAM-SHA-1-PLUS</mechanism>"
                + "<mechanism>SCRAM-SHA-512</mechanism>"
                + "<mechanism>SCRAM-SHA-256</mechanism>"
                + "<mechanism>SCRAM-SHA-1</mechanism>"
                + "<mechanism>PLAIN</mechanism></mechanisms>"
                + "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'>"
                + "<channel-binding type='tls-exporter'/>"
                + "<channel-binding type='tls-server-end-point'/></sasl-channel-binding>")
        .contains("<register xmlns='urn:before'/>");
  }

  @Test
  void afterAuthenticationBindingIsOffered() {
    StreamTester tester = StreamTester.secure();
    tester.fixture.featuresAfter.add(Element.of("urn:after", "more"));
    tester.authenticate();

    assertThat(tester.send(HEADER))
        .contains("<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
        .contains("<session xmlns='urn:ietf:params:xml:ns:xmpp-session'><optional/></session>")
        .contains("<more xmlns='urn:after'/>")
        .contains("<max-bytes>262144</max-bytes>")
        .doesNotContain("mechanism");
  }

  @Test
  void startTlsBeginsANewStream() {
    StreamTester tester = new StreamTester();
    tester.send(HEADER);

    assertThat(tester.send(STARTTLS))
        .isEqualTo("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>[TLS]");
    assertThat(tester.send(HEADER)).startsWith("<?xml").contains("PLAIN");
    assertThat(tester.transport.tlsStarts).isEqualTo(1);
  }

  @Test
  void theHostMayChangeUntilAuthentication() {
    StreamTester tester = new StreamTester();
    tester.send(HEADER);
    tester.send(STARTTLS);

    assertThat(tester.send(header("to='other.example' version='1.0'")))
        .contains("from='other.example'");
    assertThat(tester.send(StreamTester.plain("", "romeo", "secret"))).contains("<failure");
  }

  @Test
  void startTlsInsideTlsFailsAndEnds() {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);

    assertThat(tester.send(STARTTLS))
        .isEqualTo("<failure xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:stream>");
    assertThat(tester.transport.closed).isTrue();
  }

  @Test
  void theClosingTagIsAnswered() {
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.send("</stream:stream>")).isEqualTo("</stream:stream>");
    assertThat(tester.transport.closed).isTrue();
    assertThat(tester.fixture.gate.events).endsWith("ended romeo@example.org/r");
    assertThat(tester.send("<message/>")).isEmpty();
  }

  @Test
  void aVanishedConnectionEndsTheSessionOnce() {
    StreamTester tester = StreamTester.secure().login();
    FakeGate.FakeSession session = tester.fixture.gate.session("r");

    tester.stream.disconnected();
    tester.stream.disconnected();
    session.close(StreamErrorCondition.RESET, null);

    assertThat(tester.settle()).isEmpty();
    assertThat(tester.fixture.gate.events)
        .containsExactly("bound romeo@example.org/r", "ended romeo@example.org/r");
  }

  @Test
  void theServerEndsTheStream() {
    StreamTester tester = StreamTester.secure().login();

    tester.fixture.gate.session("r").close(StreamErrorCondition.CONFLICT, "replaced");

    assertThat(tester.settle())
        .isEqualTo(
            "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
                + "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams' xml:lang='en'>replaced"
                + "</text></stream:error></stream:stream>");
    assertThat(tester.fixture.gate.events).endsWith("ended romeo@example.org/r");
  }

  @Test
  void shutdownIsToldAtEveryStep() {
    for (String before : new String[] {"", HEADER}) {
      StreamTester tester = new StreamTester();
      tester.send(before);

      tester.stream.shutdown();

      assertThat(tester.settle()).contains("<system-shutdown").endsWith("</stream:stream>");
    }
  }

  /// Many clients take an error, or the end of the stream, for the end of the session, and do not
  /// resume it (XEP-0198, section 7: a stream that is not cleanly closed is unfinished).
  @Test
  void atAShutdownAClientThatCanResumeLosesItsConnectionAlone() {
    StreamTester tester = StreamTester.secure().login();
    tester.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
    tester.send("<presence/>");

    tester.stream.shutdown();

    assertThat(tester.settle()).doesNotContain("error").doesNotContain("</stream:stream>");
    assertThat(tester.stream.closed()).isTrue();
    assertThat(tester.transport.closed).isTrue();
    assertThat(tester.fixture.gate.events).endsWith("ended romeo@example.org/r");
  }

  @Test
  void atAShutdownAClientThatCannotResumeIsTold() {
    for (String enable : new String[] {"", "<enable xmlns='urn:xmpp:sm:3'/>"}) {
      StreamTester tester = StreamTester.secure().login();
      tester.send(enable);

      tester.stream.shutdown();

      assertThat(tester.settle()).contains("<system-shutdown").endsWith("</stream:stream>");
    }
  }

  @Test
  void theClientsErrorEndsTheStream() {
    StreamTester tester = StreamTester.secure().login();

    assertThat(
            tester.send(
                "<stream:error><not-well-formed xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
                    + "</stream:error>"))
        .isEqualTo("</stream:stream>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"de-x-' onload='", "x_y", "1234567890-1234567890-1234567890-123456"})
  void aLanguageThatIsNoneIsForgotten(String lang) {
    String answer =
        new StreamTester().send(header("to='example.org' version='1.0' xml:lang=\"" + lang + "\""));

    assertThat(answer).contains(" xml:lang='en'").contains("<stream:features>");
    assertThat(answer.split("xml:lang", -1)).hasSize(2);
  }

  /// RFC 6120, section 4.7.4: the language of what the server writes, which is English.
  @ParameterizedTest
  @CsvSource({"en-GB,en-GB", "EN,EN", "de,en", "eng,en"})
  void theAnswerSaysTheLanguageOfTheServer(String preferred, String lang) {
    assertThat(
            new StreamTester()
                .send(header("to='example.org' version='1.0' xml:lang='" + preferred + "'")))
        .contains(" xml:lang='" + lang + "'");
    assertThat(new StreamTester().send(HEADER)).contains(" xml:lang='en'");
  }

  /// RFC 6120, section 4.9.1.2.
  @Test
  void aStreamToAnUnknownHostIsFromNobody() {
    assertThat(new StreamTester().send(header("to='nowhere.example' version='1.0'")))
        .contains(" from=''", " xml:lang='en'");
    assertThat(new StreamTester().send("nonsense")).contains(" from=''", " xml:lang='en'");
  }

  @Test
  void theStreamsLanguageIsThatOfItsStanzas() {
    StreamTester tester = StreamTester.secure();
    tester.authenticate();
    tester.send(header("to='example.org' version='1.0' xml:lang='fr'"));
    tester.send(bind(""));

    tester.send("<message id='1'/><message id='2' xml:lang='en'/>");

    assertThat(tester.fixture.gate.received)
        .extracting(stanza -> stanza.lang())
        .containsExactly("fr", "en");
  }
}
