package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.STARTTLS;
import static im.zonda.stream.client.StreamTester.auth;
import static im.zonda.stream.client.StreamTester.bind;
import static im.zonda.stream.client.StreamTester.header;
import static im.zonda.stream.client.StreamTester.plain;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile input and the right answer. The numbers are those of the table of attacks.
final class StreamAttackTest {
  private static void ends(StreamTester tester, String answer, String condition) {
    assertThat(answer)
        .contains("<stream:error><" + condition + " xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>")
        .endsWith("</stream:stream>");
    assertThat(tester.transport.closed).isTrue();
  }

  @Test
  void row16_otherEncodings() {
    StreamTester utf16 = new StreamTester();
    assertThat(utf16.send(HEADER.getBytes(StandardCharsets.UTF_16)))
        .startsWith("<?xml version='1.0'?><stream:stream ")
        .containsAnyOf("<unsupported-encoding ", "<not-well-formed ");
    assertThat(utf16.transport.closed).isTrue();

    StreamTester latin = new StreamTester();
    ends(
        latin,
        latin.send(HEADER.replace("'1.0'?>", "'1.0' encoding='ISO-8859-1'?>")),
        "unsupported-encoding");

    StreamTester xml11 = new StreamTester();
    ends(
        xml11,
        xml11.send(HEADER.replace("<?xml version='1.0'?>", "<?xml version='1.1'?>")),
        "unsupported-encoding");
  }

  @Test
  void row17_streamElementsInsideTheStream() {
    StreamTester nested = StreamTester.secure().login();
    assertThat(nested.send(HEADER.substring(HEADER.indexOf("<stream"))))
        .containsAnyOf("<invalid-xml ", "<unsupported-stanza-type ");
    assertThat(nested.transport.closed).isTrue();

    StreamTester features = StreamTester.secure().login();
    ends(features, features.send("<stream:features/>"), "unsupported-stanza-type");

    StreamTester early = StreamTester.secure();
    early.send(HEADER);
    ends(early, early.send("<stream:features/>"), "unsupported-stanza-type");
  }

  @Test
  void row18_textBetweenStanzas() {
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.send(" \n\t\r ")).isEmpty();
    ends(tester, tester.send("hello"), "bad-format");
  }

  @Test
  void row19_wrongNamespaces() {
    StreamTester stream = new StreamTester();
    ends(stream, stream.send(HEADER.replace("etherx", "example")), "invalid-namespace");

    StreamTester content = new StreamTester();
    ends(
        content,
        content.send(HEADER.replace("jabber:client", "jabber:server")),
        "invalid-namespace");

    StreamTester none = new StreamTester();
    ends(none, none.send(HEADER.replace("xmlns='jabber:client'", "")), "invalid-namespace");

    StreamTester root = new StreamTester();
    ends(root, root.send(HEADER.replace("stream:stream", "stream:flow")), "bad-format");
  }

  @Test
  void row20_oversizeStanzas() {
    StreamTester early = StreamTester.secure();
    early.send(HEADER);
    ends(early, early.send(auth("PLAIN", "A".repeat(10_001))), "policy-violation");

    StreamTester late = StreamTester.secure().login();
    late.send("<message><body>");
    String answer = "";
    int sent = 0;
    while (answer.isEmpty() && sent < 4_000_000) {
      answer = late.send("x".repeat(8_192));
      sent += 8_192;
    }
    ends(late, answer, "policy-violation");
    assertThat(sent).isLessThan(262_144 + 2 * 8_192);
    assertThat(late.fixture.gate.received).isEmpty();
  }

  @Test
  void row20_aStanzaWithinTheLimitPasses() {
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.send("<message><body>" + "x".repeat(262_000) + "</body></message>"))
        .isEmpty();
    assertThat(tester.fixture.gate.received).hasSize(1);
  }

  @Test
  void row21_deepNesting() {
    StreamTester early = StreamTester.secure();
    early.send(HEADER);
    ends(early, early.send("<a>".repeat(9)), "policy-violation");

    StreamTester late = StreamTester.secure().login();
    ends(late, late.send("<message>" + "<a>".repeat(5_000)), "policy-violation");
  }

  @Test
  void row22_manyAttributes() {
    StreamTester tester = StreamTester.secure().login();
    StringBuilder stanza = new StringBuilder("<message");
    for (int i = 0; i < 5_000; i++) {
      stanza.append(" a").append(i).append("=''");
    }

    ends(tester, tester.send(stanza + "/>"), "policy-violation");
  }

  @Test
  void row23_manyNamespaceDeclarations() {
    StreamTester tester = StreamTester.secure().login();
    StringBuilder stanza = new StringBuilder("<message");
    for (int i = 0; i < 40; i++) {
      stanza.append(" xmlns:a").append(i).append("='u:").append(i).append("'");
    }

    ends(tester, tester.send(stanza + "/>"), "policy-violation");
  }

  @Test
  void row24_aWideTree() {
    StreamTester tester = StreamTester.secure().login();

    ends(
        tester,
        tester.send("<message>" + "<a/>".repeat(60_000) + "</message>"),
        "policy-violation");
  }

  @Test
  void row25_whiteSpaceBeforeAuthentication() {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);
    String answer = "";
    int sent = HEADER.length();
    while (answer.isEmpty() && sent < 2_000_000) {
      answer = tester.send(" ".repeat(1_000));
      sent += 1_000;
    }

    ends(tester, answer, "policy-violation");
    assertThat(sent).isLessThanOrEqualTo(16_384 + 1_000);
  }

  @Test
  void row25_theBudgetCountsOverRestartsAndEndsWithAuthentication() {
    StreamTester tester = new StreamTester();
    tester.send(HEADER);
    tester.send(" ".repeat(15_000));
    tester.send(STARTTLS);
    tester.send(HEADER);
    ends(tester, tester.send(" ".repeat(1_500)), "policy-violation");

    StreamTester authenticated = StreamTester.secure().authenticate();
    authenticated.send(HEADER);
    assertThat(authenticated.send(" ".repeat(100_000))).isEmpty();
    assertThat(authenticated.send(bind(""))).contains("<jid>");
  }

  @Test
  void row26_http() {
    StreamTester tester = new StreamTester();

    String answer = tester.send("GET /secret HTTP/1.1\r\nHost: example.org\r\n\r\n");

    ends(tester, answer, "not-well-formed");
    assertThat(answer).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<?xml version='1.0'?><stre", "header"})
  void row29_slowNegotiationEndsAtOneDeadline(String sent) {
    StreamTester tester = StreamTester.secure();
    tester.send(sent.equals("header") ? HEADER : sent);
    for (int second = 1; second <= 30; second++) {
      assertThat(tester.after(1_000)).isEmpty();
      tester.send(" ".repeat(sent.equals("header") ? 1 : 0));
    }

    ends(tester, tester.after(1_000), "connection-timeout");
  }

  @Test
  void row29_theDeadlineHoldsUntilAResourceIsBound() {
    StreamTester tester = StreamTester.secure().authenticate();
    tester.send(HEADER);

    ends(tester, tester.after(31_000), "connection-timeout");
  }

  @Test
  void row32_inputBetweenStartTlsAndTls() {
    for (String smuggled :
        new String[] {" x", "<message/>", plain("", "romeo", "secret"), HEADER}) {
      StreamTester tester = new StreamTester();
      tester.send(HEADER);

      String answer = tester.send(STARTTLS + smuggled);

      ends(tester, answer, "policy-violation");
      assertThat(answer).doesNotContain("proceed");
      assertThat(tester.transport.tlsStarts).isZero();
    }
  }

  @Test
  void row32_nothingOfTheOldStreamReachesTheNewOne() {
    StreamTester tester = new StreamTester();
    tester.send(HEADER + STARTTLS);

    // An element where the header of the encrypted stream must be.
    assertThat(tester.send("<message xmlns='jabber:client'/>")).contains("<stream:error>");
    assertThat(tester.transport.closed).isTrue();
  }

  @Test
  void row33_saslBeforeTls() {
    StreamTester tester = new StreamTester();
    assertThat(tester.send(HEADER)).doesNotContain("mechanism");

    assertThat(tester.send(plain("", "romeo", "secret")))
        .isEqualTo(
            "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><encryption-required/></failure>");
    assertThat(tester.send(auth("NTLM", ""))).contains("<invalid-mechanism/>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message to='romeo@example.org'/>",
        "<presence/>",
        "<iq type='get' id='1'><query xmlns='jabber:iq:roster'/></iq>",
        "<iq type='result' id='1'/>",
        "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
        "<r xmlns='urn:xmpp:sm:3'/>",
        "<a xmlns='urn:xmpp:sm:3' h='0'/>",
        "<iq/>"
      })
  void row43_stanzasBeforeAuthentication(String stanza) {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);

    ends(tester, tester.send(stanza), "not-authorized");
    assertThat(tester.fixture.gate.events).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message to='romeo@example.org'/>",
        "<presence/>",
        "<iq type='set' id='1'><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/></iq>",
      })
  void row43_stanzasBeforeBinding(String stanza) {
    StreamTester tester = StreamTester.secure().authenticate();
    tester.send(HEADER);

    ends(tester, tester.send(stanza), "not-authorized");
  }

  @Test
  void row44_anotherHostAfterAuthentication() {
    StreamTester tester = StreamTester.secure().authenticate();

    ends(
        tester, tester.send(header("to='other.example' version='1.0'") + bind("")), "host-unknown");
    assertThat(tester.fixture.gate.events).isEmpty();
  }

  @Test
  void row44_anotherUserAfterAuthentication() {
    StreamTester tester = StreamTester.secure().authenticate();

    ends(
        tester,
        tester.send(header("to='example.org' from='juliet@example.org' version='1.0'")),
        "invalid-from");
  }

  @ParameterizedTest
  @ValueSource(strings = {"juliet@example.org/r", "juliet@example.org", "example.org"})
  void row61_someoneElsesFrom(String from) {
    StreamTester tester = StreamTester.secure().login();

    ends(tester, tester.send("<message from='" + from + "'/>"), "invalid-from");
    assertThat(tester.fixture.gate.received).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"romeo@example.org/r", "romeo@example.org"})
  void row61_onesOwnFrom(String from) {
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.send("<message from='" + from + "'/>")).isEmpty();
    assertThat(tester.fixture.gate.received).hasSize(1);
  }

  @Test
  void row61_anotherResourceOfOnesOwn() {
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.send("<message from='romeo@example.org/x'/>")).isEmpty();
    assertThat(tester.fixture.gate.received)
        .singleElement()
        .satisfies(stanza -> assertThat(stanza.from()).hasToString("romeo@example.org/r"));
  }

  @Test
  void tooMuchAtOnceWhileSomethingIsDoneElsewhere() {
    StreamTester tester = StreamTester.secure(Limits.defaults()).authenticate();
    tester.fixture.gate.held = new java.util.ArrayList<>();
    tester.send(HEADER);
    tester.send(bind(""));

    assertThat(tester.transport.reading).isFalse();
    ends(tester, tester.send("x".repeat(300_000)), "policy-violation");
  }
}
