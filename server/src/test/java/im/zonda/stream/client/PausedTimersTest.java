package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.plain;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Time in which the server itself does not read is not the client's silence.
final class PausedTimersTest {
  private static final long LONG = 3_600_000;
  private static final String TIMEOUT = "<connection-timeout ";

  private final StreamTester tester = StreamTester.secure();

  private void pause() {
    tester.client.pauseReading();
    tester.settle();
  }

  private String resume() {
    tester.client.resumeReading();
    return tester.settle();
  }

  /// The client is sent something that it does not acknowledge.
  private void unacknowledged() {
    Stanza message = Message.of(Message.Type.CHAT, null, null, "m", List.of());
    tester.fixture.gate.sessions.values().forEach(session -> session.send(message, null));
    assertThat(tester.settle()).contains("id='m'");
  }

  @Test
  void theClientIsNotPingedForThatTime() {
    tester.login();
    tester.after(200_000);
    pause();
    assertThat(tester.after(LONG)).isEmpty();
    assertThat(resume()).isEmpty();

    assertThat(tester.after(100_000)).isEmpty();
    assertThat(tester.after(1_000)).contains("<ping ");
  }

  @Test
  void theClientHasItsTimeToAnswerAPing() {
    tester.login();
    assertThat(tester.after(301_000)).contains("<ping ");
    tester.after(59_000);
    pause();
    tester.after(LONG);
    resume();

    assertThat(tester.after(1_000)).isEmpty();
    assertThat(tester.after(1_000)).contains(TIMEOUT);
  }

  @Test
  void twoReasonsToPauseAreOnePause() {
    tester.login();
    pause();
    tester.after(LONG);
    pause();
    resume();
    tester.after(LONG);
    resume();

    assertThat(tester.after(300_000)).isEmpty();
    assertThat(tester.after(1_000)).contains("<ping ");
  }

  @Test
  void theClientHasItsTimeToAcknowledge() {
    tester.login();
    assertThat(tester.send("<enable xmlns='urn:xmpp:sm:3'/>")).contains("<enabled ");
    unacknowledged();
    assertThat(tester.after(1_000)).contains("<r ");
    tester.after(59_000);
    pause();
    assertThat(tester.after(LONG)).isEmpty();
    resume();

    assertThat(tester.after(1_000)).isEmpty();
    assertThat(tester.after(1_000)).contains(TIMEOUT);
  }

  @Test
  void aQuestionAskedMeanwhileIsNotExpectedToBeAnsweredBefore() {
    tester.login();
    tester.send("<enable xmlns='urn:xmpp:sm:3'/>");
    pause();
    unacknowledged();
    assertThat(tester.after(LONG)).contains("<r ");
    assertThat(tester.after(LONG)).isEmpty();
    resume();

    assertThat(tester.after(60_000)).isEmpty();
    assertThat(tester.after(1_000)).contains(TIMEOUT);
  }

  @Test
  void whatTheServerDoesElsewhereIsNoPartOfTheNegotiationTime() {
    tester.send(HEADER);
    tester.after(29_000);
    byte[] auth = plain("", "romeo", "secret").getBytes(StandardCharsets.UTF_8);
    tester.bytes.input(auth, 0, auth.length);
    tester.transport.now += LONG;
    tester.stream.tick();
    assertThat(tester.transport.closed).isFalse();

    Objects.requireNonNull(tester.elsewhere.poll()).run();
    assertThat(tester.settle()).contains("<success");
    assertThat(tester.after(1_000)).isEmpty();
    assertThat(tester.after(1_000)).contains(TIMEOUT);
  }
}
