package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// When stream management is offered and enabled, and when it is rejected (XEP-0198, sections 3 and
/// 10).
final class EnablingTest {
  private static final String ENABLE = "<enable xmlns='urn:xmpp:sm:3' resume='true'/>";
  private static final String RESUME = "<resume xmlns='urn:xmpp:sm:3' h='0' previd='x'/>";
  private static final String FAILED =
      "<failed xmlns='urn:xmpp:sm:3'>"
          + "<unexpected-request xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>";
  private static final String OFFER = "<sm xmlns='urn:xmpp:sm:3'/>";

  private static StreamTester bound(String inBind) {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);
    assertThat(
            tester.send(
                Sasl2LoginTest.plain("<bind xmlns='urn:xmpp:bind:0'>" + inBind + "</bind>")))
        .satisfies(answer ->
            assertThat(answer.contains("<enabled xmlns='urn:xmpp:sm:3'"))
                .isEqualTo(!inBind.isEmpty()))
        .satisfies(answer ->
            assertThat(answer.substring(answer.indexOf("<stream:features>")).contains(OFFER))
                .as(answer)
                .isEqualTo(inBind.isEmpty()))
        .contains("<csi xmlns='urn:xmpp:csi:0'/>")
        .doesNotContain("urn:ietf:params:xml:ns:xmpp-bind", "xmpp-session");
    return tester;
  }

  @Test
  void whatWasEnabledWithTheBindIsNotOfferedAgain() {
    StreamTester tester = bound(ENABLE);

    assertThat(tester.send(ENABLE)).isEqualTo(FAILED);
    assertThat(tester.send("<r xmlns='urn:xmpp:sm:3'/>"))
        .isEqualTo("<a xmlns='urn:xmpp:sm:3' h='0'/>");
  }

  @Test
  void whatWasNotEnabledWithTheBindIsOfferedAndEnabledLater() {
    StreamTester tester = bound("");

    assertThat(tester.send(ENABLE)).startsWith("<enabled xmlns='urn:xmpp:sm:3'");
    assertThat(tester.send(ENABLE + ENABLE)).isEqualTo(FAILED + FAILED);
    assertThat(tester.stream.closed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {ENABLE, RESUME})
  void beforeAuthenticationItIsRefusedAndTheStreamGoesOn(String element) {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);

    assertThat(tester.send(element)).isEqualTo(FAILED);
    assertThat(tester.fixture.gate.events).isEmpty();
    assertThat(tester.send(StreamTester.plain("", "romeo", "secret"))).contains("<success");
  }

  @Test
  void inTheClearItIsRefusedToo() {
    StreamTester tester = new StreamTester();
    tester.send(HEADER);

    assertThat(tester.send(ENABLE)).isEqualTo(FAILED);
    assertThat(tester.send(StreamTester.STARTTLS)).contains("<proceed");
  }

  @Test
  void beforeTheBindItIsRefusedAndTheStreamGoesOn() {
    StreamTester tester = StreamTester.secure().authenticate();
    tester.send(HEADER);

    assertThat(tester.send(ENABLE)).isEqualTo(FAILED);
    assertThat(tester.send(StreamTester.bind(""))).contains("<jid>");
  }
}
