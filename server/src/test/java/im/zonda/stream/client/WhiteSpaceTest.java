package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.STARTTLS;
import static im.zonda.stream.client.StreamTester.bind;
import static im.zonda.stream.client.StreamTester.plain;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.stream.sasl.ScramTestClient;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// White space between the steps of a negotiation, as from clients that end what they send with a
/// line break.
final class WhiteSpaceTest {
  private static final String SPACE = " \r\n\t";

  @Test
  void behindStartTlsItIsDropped() {
    StreamTester tester = new StreamTester();
    tester.send(HEADER + SPACE);

    assertThat(tester.send(STARTTLS + SPACE)).contains("<proceed").endsWith("[TLS]");
    assertThat(tester.send(HEADER)).contains("<mechanisms");
  }

  @Test
  void behindStartTlsItIsDroppedAlsoByteByByte() {
    StreamTester tester = new StreamTester();

    assertThat(tester.trickle(HEADER + STARTTLS + SPACE + HEADER)).contains("<mechanisms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", SPACE})
  void behindTheLastMessageOfAnAuthenticationItIsDropped(String inTheSameSegment) {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);

    assertThat(tester.send(plain("", "romeo", "secret") + inTheSameSegment)).contains("<success");
    assertThat(tester.send(SPACE)).isEmpty();
    assertThat(tester.send(HEADER + SPACE)).contains("<bind ");
    assertThat(tester.send(bind("") + SPACE)).contains("<jid>");
  }

  @Test
  void behindTheLastResponseOfScramItIsDropped() throws Exception {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);
    ScramTestClient client =
        new ScramTestClient("SCRAM-SHA-256", "romeo", "secret", "", new byte[0]);
    String challenge =
        tester.send(StreamTester.auth("SCRAM-SHA-256", StreamTester.base64(client.first())) + "\n");
    String last = client.last(Sasl2LoginTest.decoded(challenge, "challenge"));

    assertThat(tester.send(StreamTester.response(StreamTester.base64(last)) + "\n" + HEADER))
        .contains("<success", "<bind ");
  }

  @Test
  void thatCameWhileThePasswordWasCheckedIsDropped() {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);
    byte[] auth = plain("", "romeo", "secret").getBytes(java.nio.charset.StandardCharsets.UTF_8);
    tester.bytes.input(auth, 0, auth.length);
    assertThat(new ArrayList<>(tester.elsewhere)).isNotEmpty();
    tester.bytes.input(new byte[] {'\n'}, 0, 1);

    assertThat(tester.settle()).contains("<success");
    assertThat(tester.send(HEADER)).contains("<bind ");
  }

  @Test
  void beforeTheDeclarationOfAFirstStreamItIsAnError() {
    assertThat(new StreamTester().send("\n" + HEADER)).contains("<not-well-formed ");
  }
}
