package im.zonda.stream.client;

import static im.zonda.stream.client.Sasl2LoginTest.AGENT;
import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.auth;
import static im.zonda.stream.client.StreamTester.base64;
import static im.zonda.stream.client.StreamTester.plain;
import static im.zonda.stream.client.StreamTester.response;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.config.limits.LoginLimits;
import im.zonda.stream.sasl.ScramTestClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// Failed logins over many connections: how late and how often they are answered.
final class LoginDelayTest {
  private static final String ATTACKER = "192.0.2.66";
  private static final String HOME = "198.51.100.1";
  private static final String FAILURE = "<not-authorized";

  private final StreamFixture fixture = new StreamFixture();

  /// A new connection from that address.
  private StreamTester connect(String address) {
    StreamTester tester = StreamTester.secure(fixture);
    try {
      tester.transport.address = InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(address, e);
    }
    tester.send(HEADER);
    return tester;
  }

  private static String scramChallenge(StreamTester tester, ScramTestClient client) {
    String challenge = tester.send(auth("SCRAM-SHA-256", base64(client.first())));
    return new String(
        Base64.getDecoder().decode(challenge.replaceAll("<[^>]*>", "")), StandardCharsets.UTF_8);
  }

  /// One login by a mechanism; what the server says at once.
  private static String login(StreamTester tester, String mechanism, String password)
      throws Exception {
    return switch (mechanism) {
      case "PLAIN" -> tester.send(plain("", "romeo", password));
      case "SASL2" ->
          tester.send(
              "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='PLAIN'><initial-response>"
                  + base64("\0romeo\0" + password)
                  + "</initial-response></authenticate>");
      case "TOKEN" ->
          tester.send(
              "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='HT-SHA-256-NONE'><initial-response>"
                  + base64("romeo\0" + password.repeat(32).substring(0, 32))
                  + "</initial-response>"
                  + AGENT
                  + "<fast xmlns='urn:xmpp:fast:0'/></authenticate>");
      default -> {
        ScramTestClient client =
            new ScramTestClient("SCRAM-SHA-256", "romeo", password, "", new byte[0]);
        yield tester.send(response(base64(client.last(scramChallenge(tester, client)))));
      }
    };
  }

  private void failFromAttacker(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      StreamTester tester = connect(ATTACKER);
      login(tester, "SCRAM", "wrong" + i);
      tester.stream.disconnected();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM", "SASL2", "TOKEN"})
  void row41_whoConnectsAgainIsAnsweredLate(String mechanism) throws Exception {
    failFromAttacker(3);
    StreamTester tester = connect(ATTACKER);

    assertThat(login(tester, mechanism, "wrong")).isEmpty();
    assertThat(tester.transport.reading).isFalse();
    fixture.pass(Duration.ofMillis(499));
    assertThat(tester.settle()).isEmpty();
    fixture.pass(Duration.ofMillis(1));
    assertThat(tester.settle()).contains(FAILURE);
    assertThat(tester.transport.reading).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM", "SASL2"})
  void row41_theRightPasswordIsLetInAfterTheSameTime(String mechanism) throws Exception {
    failFromAttacker(3);
    StreamTester tester = connect(ATTACKER);

    assertThat(login(tester, mechanism, "secret")).isEmpty();
    fixture.pass(Duration.ofMillis(500));
    assertThat(tester.settle()).contains("<success ");
  }

  @Test
  void whatIsSentMeanwhileIsReadAfterwards() throws Exception {
    failFromAttacker(3);
    StreamTester tester = connect(ATTACKER);
    login(tester, "PLAIN", "secret");

    assertThat(tester.send(HEADER)).isEmpty();
    fixture.pass(Duration.ofMillis(500));
    assertThat(tester.settle()).contains("<success ", "<bind ");
  }

  @Test
  void row29_whatIsSentMeanwhileIsBounded() throws Exception {
    failFromAttacker(3);
    StreamTester tester = connect(ATTACKER);
    login(tester, "PLAIN", "wrong");

    assertThat(tester.send(" ".repeat(16_384))).contains("<policy-violation ");
  }

  @Test
  void row41_anUnknownAccountIsThrottledLikeOthers() throws Exception {
    failFromAttacker(3);
    StreamTester tester = connect(ATTACKER);

    assertThat(tester.send(plain("", "nobody", "secret"))).isEmpty();
    fixture.pass(Duration.ofMillis(500));
    assertThat(tester.settle()).contains(FAILURE);
  }

  @Test
  void row41_theOwnerGetsInWhileOthersGuess() throws Exception {
    assertThat(login(connect(HOME), "SCRAM", "secret")).contains("<success ");
    for (int i = 0; i < 200; i++) {
      login(connect("10.0." + i + ".1"), "SCRAM", "wrong");
    }

    assertThat(login(connect(HOME), "SCRAM", "secret")).contains("<success ");
    StreamTester travelling = connect("203.0.113.5");
    assertThat(login(travelling, "SCRAM", "secret")).isEmpty();
    fixture.pass(LoginLimits.DEFAULTS.maxAccountDelay());
    assertThat(travelling.settle()).contains("<success ");
  }

  @Test
  void row41_whatExceedsTheWaitingOnesIsRefusedUnseen() throws Exception {
    failFromAttacker(4);
    StreamTester[] waiting = new StreamTester[LoginLimits.DEFAULTS.delayedLogins()];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = connect(ATTACKER);
      assertThat(login(waiting[i], "PLAIN", "wrong")).isEmpty();
    }

    for (String mechanism : new String[] {"PLAIN", "SCRAM", "SASL2", "TOKEN"}) {
      StreamTester further = connect(ATTACKER);
      assertThat(login(further, mechanism, "secret"))
          .as(mechanism)
          .contains("<temporary-auth-failure", "<policy-violation ")
          .doesNotContain(FAILURE);
      assertThat(further.transport.closed).isTrue();
    }
    waiting[0].stream.disconnected();
    assertThat(fixture.timers.pending()).isEqualTo(waiting.length); // one is the log's
    assertThat(login(connect(ATTACKER), "PLAIN", "wrong")).as("there is room again").isEmpty();
  }

  @Test
  void row41_failuresDoNotFillTheLog() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger("im.zonda");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      failFromAttacker(50);
      fixture.pass(Duration.ofSeconds(10));
    } finally {
      logger.detachAppender(lines);
    }

    assertThat(lines.list.stream().filter(event -> event.getLevel().levelInt >= 20_000))
        .extracting(ILoggingEvent::getMessage)
        .containsExactly("sasl_failed", "sasl_failed_repeatedly");
  }
}
