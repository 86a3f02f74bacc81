package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.auth;
import static im.zonda.stream.client.StreamTester.base64;
import static im.zonda.stream.client.StreamTester.bind;
import static im.zonda.stream.client.StreamTester.header;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import org.junit.jupiter.api.Test;

/// The mechanism ANONYMOUS (RFC 4505, XEP-0175) over a stream. The fixture counts its guests down.
final class GuestLoginTest {
  private static final String HEADER = header("to='other.example' version='1.0'");
  private static final String SUCCESS = "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>";
  private static final String LOCAL = "00000000-0000-8000-8000-00000000000";

  private final StreamTester tester = StreamTester.secure();

  private String opened(int guests) {
    tester.fixture.guestsLeft = guests;
    return tester.send(HEADER);
  }

  private static String authenticate(String content) {
    return "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='ANONYMOUS'>"
        + content
        + "</authenticate>";
  }

  @Test
  void theFlowOfTheXep() {
    assertThat(opened(9)).contains("<mechanism>ANONYMOUS</mechanism></mechanisms>");
    assertThat(tester.send(auth("ANONYMOUS", ""))).isEqualTo(SUCCESS);
    assertThat(tester.send(HEADER)).contains("<bind ");
    assertThat(tester.send(bind(""))).contains("<jid>" + LOCAL + "8@other.example/made</jid>");
    assertThat(tester.fixture.gate.guests).containsExactly(Jid.of(LOCAL + "8@other.example"));
  }

  /// The server must not use it (XEP-0175, section 3).
  @Test
  void traceInformationIsCheckedAndUsedForNothing() {
    opened(9);
    assertThat(tester.send(auth("ANONYMOUS", base64("x".repeat(256)))))
        .contains("malformed-request");
    assertThat(tester.send(auth("ANONYMOUS", "/w=="))).contains("malformed-request");
    assertThat(tester.send(auth("ANONYMOUS", base64("sirhc")))).isEqualTo(SUCCESS);
    tester.send(HEADER);
    assertThat(tester.send(bind(""))).contains("<jid>" + LOCAL).doesNotContain("sirhc");
  }

  @Test
  void guestsBindWithinTheAuthentication() {
    opened(9);
    String answer =
        tester.send(
            authenticate(
                "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'/>"
                    + "<request-token xmlns='urn:xmpp:fast:0' mechanism='HT-SHA-256-NONE'/>"
                    + "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>UPGR-SCRAM-SHA-512</upgrade>"
                    + "<bind xmlns='urn:xmpp:bind:0'/>"));
    assertThat(answer)
        .contains("<success ", LOCAL + "8@other.example/", "<bound ")
        .doesNotContain("token", "<continue");
    assertThat(tester.fixture.gate.guests).containsExactly(Jid.of(LOCAL + "8@other.example"));
    assertThat(tester.fixture.values.writes).as("nothing is remembered of the client").isZero();
  }

  @Test
  void aGuestAsksForTheSessionThatItsIdNames() {
    opened(9);
    tester.send(
        authenticate("<resume xmlns='urn:xmpp:sm:3' previd='" + LOCAL + "1/secret' h='5'/>"));
    assertThat(tester.fixture.gate.events)
        .containsExactly("resume " + LOCAL + "1@other.example secret 5");
  }

  /// Only a guest may resume the session of a guest.
  @Test
  void row143_anAccountAsksForSessionsOfItsOwn() {
    StreamTester romeo = StreamTester.secure().authenticate();
    romeo.send(StreamTester.HEADER);
    romeo.send("<resume xmlns='urn:xmpp:sm:3' previd='" + LOCAL + "1/secret' h='5'/>");
    assertThat(romeo.fixture.gate.events)
        .containsExactly("resume romeo@example.org " + LOCAL + "1/secret 5");
  }

  /// A guest who names an account gets at no account's session.
  @Test
  void row143_aGuestAsksForSessionsOfGuests() {
    opened(9);
    tester.send(authenticate("<resume xmlns='urn:xmpp:sm:3' previd='romeo/secret' h='5'/>"));
    assertThat(tester.fixture.gate.events)
        .containsExactly("resume " + LOCAL + "8@other.example secret 5");
  }

  @Test
  void row140_tooManyGuestsAreATemporaryFailure() {
    opened(1);
    tester.fixture.guestsLeft = 0;
    assertThat(tester.send(auth("ANONYMOUS", ""))).contains("<temporary-auth-failure/>");
  }

  @Test
  void row38_withoutGuestsTheMechanismIsNotOffered() {
    assertThat(opened(0)).doesNotContain("ANONYMOUS");
    assertThat(tester.send(auth("ANONYMOUS", ""))).contains("<invalid-mechanism/>");
    assertThat(tester.send(authenticate(""))).contains("<invalid-mechanism ");
  }

  /// A host that lets guests in does not lend them to another one.
  @Test
  void row44_aGuestStaysAtItsHost() {
    opened(9);
    assertThat(tester.send(auth("ANONYMOUS", ""))).isEqualTo(SUCCESS);
    assertThat(tester.send(StreamTester.HEADER)).contains("<stream:error>");
  }
}
