package im.zonda.stream.client;

import static im.zonda.stream.client.Sasl2LoginTest.AGENT;
import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.auth;
import static im.zonda.stream.client.StreamTester.base64;
import static im.zonda.stream.client.StreamTester.response;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.auth.provider.Admission;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.stream.sasl.LoginAttempts;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// Logins by tokens of an issuer (RFC 7628).
final class BearerLoginTest {
  private static final Jid ALICE = Jid.of("alice@example.org");
  private static final String SASL = "urn:ietf:params:xml:ns:xmpp-sasl";
  private static final String SUCCESS = "<success xmlns='" + SASL + "'/>";
  private static final String ERROR =
      "{\"status\":\"invalid_token\",\"scope\":\"openid\",\"openid-configuration\":"
          + "\"https://id.example.org/.well-known/openid-configuration\"}";

  private final StreamTester tester = StreamTester.secure();

  @BeforeEach
  void issue() {
    tester.fixture.issued.put("alices", new Admission.Admitted(ALICE, false));
    tester.fixture.issued.put("away", new Admission.Unavailable("the issuer is away"));
    tester.fixture.accounts.put(
        ALICE, new Account(ALICE, List.of(StreamFixture.keys("SHA-512")), Instant.EPOCH));
  }

  private static String message(String header, String auth) {
    return header + "\u0001host=example.org\u0001port=5222\u0001auth=" + auth + "\u0001\u0001";
  }

  private static String bearer(String token) {
    return base64(message("n,,", "Bearer " + token));
  }

  private static String failure(String condition) {
    return "<failure xmlns='" + SASL + "'><" + condition + "/></failure>";
  }

  private String first(String data) {
    tester.send(HEADER);
    return tester.send(auth("OAUTHBEARER", data));
  }

  @Test
  void itIsOfferedIfAProviderTakesTokens() {
    assertThat(tester.send(HEADER))
        .contains(
            "<mechanisms xmlns='" + SASL + "'><mechanism>OAUTHBEARER</mechanism></mechanisms>")
        .contains(
            "<authentication xmlns='urn:xmpp:sasl:2'><mechanism>OAUTHBEARER</mechanism><inline");
    StreamTester other = StreamTester.secure();
    assertThat(other.send(HEADER)).doesNotContain("OAUTHBEARER");
    assertThat(other.send(auth("OAUTHBEARER", bearer("alices"))))
        .isEqualTo(failure("invalid-mechanism"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"n,,", "y,,", "n,a=alice@example.org,", "n,a=ALICE@example.org,"})
  void aRightTokenLogsIn(String header) {
    assertThat(first(base64(message(header, "bEARER alices")))).isEqualTo(SUCCESS);
    tester.send(HEADER);
    assertThat(tester.send(StreamTester.bind(""))).contains("<jid>alice@example.org/");
  }

  @Test
  void theClientMayWaitForAnEmptyChallenge() {
    assertThat(first("")).isEqualTo("<challenge xmlns='" + SASL + "'/>");
    assertThat(tester.send(response(bearer("alices")))).isEqualTo(SUCCESS);
  }

  @Test
  void aWrongTokenIsExplainedBeforeItFails() {
    String challenge = "<challenge xmlns='" + SASL + "'>" + base64(ERROR) + "</challenge>";
    assertThat(first(bearer("wrong"))).isEqualTo(challenge);
    assertThat(tester.send(response(base64("\u0001")))).isEqualTo(failure("not-authorized"));
    assertThat(tester.send(auth("OAUTHBEARER", bearer("alices")))).isEqualTo(SUCCESS);
  }

  /// XEP-0493, section 3.2.1.
  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Bearer "})
  void anEmptyTokenAsksForTheIssuer(String auth) {
    String challenge = "<challenge xmlns='" + SASL + "'>" + base64(ERROR) + "</challenge>";
    assertThat(first(base64(message("n,,", auth)))).isEqualTo(challenge);
    assertThat(tester.send(response(base64("\u0001")))).isEqualTo(failure("not-authorized"));
    assertThat(tester.send(auth("OAUTHBEARER", bearer("alices")))).isEqualTo(SUCCESS);
  }

  @Test
  void afterTheExplanationComesNothingElse() {
    first(bearer("wrong"));
    assertThat(tester.send(response(bearer("alices")))).isEqualTo(failure("malformed-request"));
    tester.send(auth("OAUTHBEARER", bearer("wrong")));
    assertThat(tester.send("<abort xmlns='" + SASL + "'/>")).isEqualTo(failure("aborted"));
  }

  @Test
  void anotherAccountThanThatOfTheToken() {
    assertThat(first(base64(message("n,a=romeo@example.org,", "Bearer alices"))))
        .isEqualTo(failure("invalid-authzid"));
    for (String authzid :
        List.of("alice@other.example", "example.org", "alice@example.org/x", "@")) {
      assertThat(
              tester.send(
                  auth("OAUTHBEARER", base64(message("n,a=" + authzid + ",", "Bearer alices")))))
          .startsWith(failure("invalid-authzid"));
      tester.transport.output();
      if (authzid.equals("example.org")) {
        break; // one more ends the stream
      }
    }
  }

  @Test
  void aDisabledAccountAndAnIssuerThatIsAway() {
    tester.fixture.disabled.add(ALICE);
    assertThat(first(bearer("alices"))).isEqualTo(failure("account-disabled"));
    assertThat(tester.send(auth("OAUTHBEARER", bearer("away"))))
        .isEqualTo(failure("temporary-auth-failure"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n,,",
        "n,,\u0001",
        "n,,\u0001\u0001",
        "n,,\u0001auth=Bearer alices",
        "n,,\u0001auth=Bearer alices\u0001",
        "n,,\u0001auth=Bearer alices\u0001auth=Bearer alices\u0001\u0001",
        "n,,\u0001auth=Basic alices\u0001\u0001",
        "n,,\u0001auth=alices\u0001\u0001",
        "n,,\u0001auth=Bearer al ices\u0001\u0001",
        "n,,\u0001auth=Bearer al\u00e9ices\u0001\u0001",
        "n,,\u0001=x\u0001\u0001",
        "n,,x\u0001auth=Bearer alices\u0001\u0001",
        "n,alice@example.org,\u0001auth=Bearer alices\u0001\u0001",
        "n,a=alice=40example.org,\u0001auth=Bearer alices\u0001\u0001",
        "p=tls-exporter,,\u0001auth=Bearer alices\u0001\u0001",
        "F,n,,\u0001auth=Bearer alices\u0001\u0001",
        "\u0001auth=Bearer alices\u0001\u0001",
        "n,,\u0001auth=Bearer alices\u0000\u0001\u0001"
      })
  void malformedMessages(String message) {
    assertThat(first(base64(message))).isEqualTo(failure("malformed-request"));
  }

  @Test
  void failuresAreLoggedOnceWithoutTheToken() {
    Logger logger = (Logger) LoggerFactory.getLogger(LoginAttempts.class);
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    Level before = logger.getLevel();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(events);
    try {
      first(bearer(""));
      tester.send(response(base64("\u0001")));
      assertThat(events.list).as("asking is no failed login").isEmpty();
      tester.send(auth("OAUTHBEARER", bearer("stolen")));
      assertThat(events.list).as("before the client answers").hasSize(1);
      tester.send(response(base64("\u0001")));
      assertThat(events.list).hasSize(1);
      assertThat(events.list.getFirst().getKeyValuePairs().toString())
          .contains("OAUTHBEARER", "NOT_AUTHORIZED", "unknown token")
          .doesNotContain("stolen");
    } finally {
      logger.detachAppender(events);
      logger.setLevel(before);
    }
  }

  @Test
  void manyWrongTokensEndTheStream() {
    tester.send(HEADER);
    for (int i = 0; i < 10; i++) {
      tester.send(auth("OAUTHBEARER", bearer("wrong" + i)));
      tester.send(response(base64("\u0001")));
    }
    assertThat(tester.transport.closed).isTrue();
  }

  @Test
  void byTheExtensibleProfileWithATokenForNextTime() {
    tester.send(HEADER);
    String answer =
        tester.send(
            authenticate(
                bearer("alices"),
                AGENT
                    + "<request-token xmlns='urn:xmpp:fast:0' mechanism='HT-SHA-256-NONE'/>"
                    + "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>UPGR-SCRAM-SHA-512</upgrade>"
                    + "<bind xmlns='urn:xmpp:bind:0'/>"));
    assertThat(answer)
        .startsWith("<success xmlns='urn:xmpp:sasl:2'>")
        .contains("<authorization-identifier>alice@example.org/", "<bound ");
    Matcher token = Pattern.compile(" token='([^']+)'").matcher(answer);
    assertThat(token.find()).as(answer).isTrue();

    StreamTester again = StreamTester.secure(tester.fixture);
    again.send(HEADER);
    assertThat(again.send(TokenLoginTest.loginAs("alice", "HT-SHA-256-NONE", token.group(1))))
        .startsWith("<success xmlns='urn:xmpp:sasl:2'>")
        .contains("<authorization-identifier>alice@example.org");
    tester.fixture.disabled.add(ALICE);
    StreamTester late = StreamTester.secure(tester.fixture);
    late.send(HEADER);
    assertThat(late.send(TokenLoginTest.loginAs("alice", "HT-SHA-256-NONE", token.group(1))))
        .contains("account-disabled");
  }

  @Test
  void theExtensibleProfileExplainsToo() {
    tester.send(HEADER);
    String answer = tester.send(authenticate(bearer("wrong"), ""));
    assertThat(answer)
        .isEqualTo("<challenge xmlns='urn:xmpp:sasl:2'>" + base64(ERROR) + "</challenge>");
    assertThat(tester.send("<response xmlns='urn:xmpp:sasl:2'>" + base64("\u0001") + "</response>"))
        .contains("<failure xmlns='urn:xmpp:sasl:2'>", "not-authorized");
  }

  private static String authenticate(String initial, String more) {
    return "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='OAUTHBEARER'><initial-response>"
        + initial
        + "</initial-response>"
        + more
        + "</authenticate>";
  }

  /// Base64 and the limit of what a client may send before it has logged in leave that much.
  @Test
  void aLongTokenFits() {
    String token = "x".repeat(7_000);
    tester.fixture.issued.put(token, new Admission.Admitted(ALICE, false));
    assertThat(first(bearer(token))).isEqualTo(SUCCESS);
  }
}
