package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.base64;
import static im.zonda.stream.client.StreamTester.header;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.auth.Passwords;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.sasl.SaslMechanism;
import im.zonda.stream.sasl.ScramTestClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Authentication by XEP-0388, with what is asked for beside it (XEP-0386, XEP-0480).
final class Sasl2LoginTest {
  static final String AGENT =
      "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'><software>Zonda's test</software>"
          + "<device>a bench</device></user-agent>";
  private static final String BIND = "<bind xmlns='urn:xmpp:bind:0'><tag>Awesome</tag></bind>";

  private static String failure(String condition) {
    return "<failure xmlns='urn:xmpp:sasl:2'><"
        + condition
        + " xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>";
  }

  private static StreamTester opened() {
    return opened(StreamTester.secure());
  }

  private static StreamTester opened(StreamTester tester) {
    tester.transport.bindings.put(ChannelBinding.TLS_EXPORTER, new byte[] {1, 2, 3});
    tester.transport.bindings.put(ChannelBinding.TLS_SERVER_END_POINT, new byte[] {4, 5});
    tester.send(HEADER);
    return tester;
  }

  static String authenticate(String mechanism, String initial, String more) {
    return "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='"
        + mechanism
        + "'><initial-response>"
        + base64(initial)
        + "</initial-response>"
        + more
        + "</authenticate>";
  }

  static String plain(String more) {
    return authenticate("PLAIN", "\0romeo\0secret", more);
  }

  static String response(String message) {
    return "<response xmlns='urn:xmpp:sasl:2'>" + base64(message) + "</response>";
  }

  /// The text of the first element of that name, decoded.
  static String decoded(String answer, String name) {
    Matcher matcher = Pattern.compile("<" + name + "[^>]*>([^<]*)</").matcher(answer);
    assertThat(matcher.find()).as("%s in %s", name, answer).isTrue();
    return new String(Base64.getDecoder().decode(matcher.group(1)), StandardCharsets.UTF_8);
  }

  private static ScramTestClient client(String mechanism) {
    boolean plus = mechanism.endsWith("PLUS");
    return new ScramTestClient(
        mechanism,
        "romeo",
        "secret",
        plus ? "tls-exporter" : "",
        plus ? new byte[] {1, 2, 3} : new byte[0]);
  }

  @Test
  void theFeatureIsOfferedBesideTheOldOne() {
    StreamTester tester = StreamTester.secure();
    tester.transport.bindings.put(ChannelBinding.TLS_EXPORTER, new byte[] {1, 2, 3});

    assertThat(tester.send(HEADER))
        .contains(
            "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>",
            "<authentication xmlns='urn:xmpp:sasl:2'><mechanism>SCRAM-SHA-512-PLUS</mechanism>",
            "<inline><bind xmlns='urn:xmpp:bind:0'><inline>"
                + "<feature var='urn:example:inline'/><feature var='urn:xmpp:csi:0'/>"
                + "<feature var='urn:xmpp:sm:3'/></inline></bind><sm xmlns='urn:xmpp:sm:3'/>",
            "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>UPGR-SCRAM-SHA-256</upgrade>");
  }

  @Test
  void nothingIsOfferedOrAcceptedInTheClear() {
    StreamTester tester = new StreamTester();

    assertThat(tester.send(HEADER)).doesNotContain("urn:xmpp:sasl:2");
    assertThat(tester.send(plain(""))).isEqualTo(failure("encryption-required"));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "SCRAM_.*")
  void everyScramMechanism(SaslMechanism mechanism) throws Exception {
    StreamTester tester = opened();
    ScramTestClient client = client(mechanism.saslName());

    String challenge = tester.send(authenticate(mechanism.saslName(), client.first(), AGENT));
    assertThat(challenge).startsWith("<challenge xmlns='urn:xmpp:sasl:2'>");
    String success = tester.send(response(client.last(decoded(challenge, "challenge"))));

    assertThat(success)
        .startsWith("<success xmlns='urn:xmpp:sasl:2'><additional-data>")
        .contains(
            "<authorization-identifier>romeo@example.org</authorization-identifier></success>"
                + "<stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
        .doesNotContain("<stream:stream");
    assertThat(decoded(success, "additional-data")).isEqualTo(client.expectedServerFinal());
    // No new stream: the client binds at once.
    assertThat(tester.send(StreamTester.bind("<resource>r</resource>")))
        .contains("<jid>romeo@example.org/r</jid>");
  }

  @Test
  void withoutAnInitialResponseAndInPieces() throws Exception {
    StreamTester tester = opened();
    ScramTestClient client = client("SCRAM-SHA-256");

    assertThat(tester.trickle("<authenticate xmlns='urn:xmpp:sasl:2' mechanism='SCRAM-SHA-256'/>"))
        .isEqualTo("<challenge xmlns='urn:xmpp:sasl:2'/>");
    String challenge = tester.trickle(response(client.first()));
    assertThat(tester.trickle(response(client.last(decoded(challenge, "challenge")))))
        .startsWith("<success ");
  }

  @Test
  void plainHasNoAdditionalDataAndBlanksAroundDataAreTolerated() {
    assertThat(
            opened()
                .send(
                    "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='PLAIN'><initial-response>\n  "
                        + base64("\0romeo\0secret")
                        + "\n</initial-response></authenticate>"))
        .startsWith("<success xmlns='urn:xmpp:sasl:2'><authorization-identifier>");
  }

  @Test
  void bindingInTheSameRoundTrip() {
    StreamTester tester = opened();

    String answer = tester.send(plain(AGENT + BIND) + "<message id='pipelined'/>");

    Matcher jid =
        Pattern.compile(
                "<success xmlns='urn:xmpp:sasl:2'><authorization-identifier>"
                    + "(romeo@example.org/Awesome/[A-Za-z0-9_-]{12})</authorization-identifier>"
                    + "<bound xmlns='urn:xmpp:bind:0'/></success><stream:features>")
            .matcher(answer);
    assertThat(jid.find()).as(answer).isTrue();
    assertThat(answer).doesNotContain("xmpp-bind'", "d4565fa7");
    assertThat(tester.fixture.gate.received).hasSize(1);
    assertThat(tester.fixture.gate.events).contains("bound " + jid.group(1));
  }

  @Test
  void theSameClientGetsTheSameResource() {
    StreamTester first = opened();
    first.send(plain(AGENT + BIND));
    StreamTester again = opened();
    again.send(plain(AGENT + BIND));
    StreamTester other = opened();
    other.send(plain(AGENT.replace("d4565fa7", "00000000") + BIND));

    assertThat(again.fixture.gate.sessions.keySet())
        .isEqualTo(first.fixture.gate.sessions.keySet())
        .isNotEqualTo(other.fixture.gate.sessions.keySet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"<tag/>", "", "<tag>\u00a0</tag>"})
  void aTagThatIsNone(String tag) {
    StreamTester tester = opened();

    assertThat(tester.send(plain("<bind xmlns='urn:xmpp:bind:0'>" + tag + "</bind>")))
        .contains("<authorization-identifier>romeo@example.org/", "<bound ");
  }

  @Test
  void aLongTagIsCut() {
    StreamTester tester = opened();

    assertThat(
            tester.send(
                plain("<bind xmlns='urn:xmpp:bind:0'><tag>" + "x".repeat(2_000) + "</tag></bind>")))
        .contains("<authorization-identifier>romeo@example.org/" + "x".repeat(64) + "/");
  }

  @Test
  void aRefusedBindLeavesTheClientAuthenticated() {
    StreamTester tester = opened();
    tester.fixture.gate.refusal = ErrorCondition.RESOURCE_CONSTRAINT;

    assertThat(tester.send(plain(AGENT + BIND)))
        .startsWith(
            "<success xmlns='urn:xmpp:sasl:2'><authorization-identifier>romeo@example.org</")
        .doesNotContain("<bound")
        .contains("<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>");
    tester.fixture.gate.refusal = null;
    assertThat(tester.send(StreamTester.bind(""))).contains("<jid>");
  }

  @Test
  void aSessionThatCannotBeResumedIsBoundInstead() {
    StreamTester tester = opened();

    assertThat(tester.send(plain("<resume xmlns='urn:xmpp:sm:3' h='3' previd='x'/>" + BIND)))
        .contains(
            "</authorization-identifier><failed xmlns='urn:xmpp:sm:3'>"
                + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed><bound ");
    assertThat(tester.fixture.gate.events).first().isEqualTo("resume romeo@example.org x 3");

    assertThat(opened().send(plain("<resume xmlns='urn:xmpp:sm:3' h='3' previd='x'/>")))
        .contains("<authorization-identifier>romeo@example.org<", "<failed ", "</success><stream:");
    assertThat(opened().send(plain("<resume xmlns='urn:xmpp:sm:3' h='-3' previd='x'/>")))
        .contains("<bad-request ");
  }

  @Test
  void theSessionBeginsInactive() {
    StreamTester tester = opened();

    tester.send(plain("<bind xmlns='urn:xmpp:bind:0'><inactive xmlns='urn:xmpp:csi:0'/></bind>"));

    assertThat(tester.fixture.gate.events).last().asString().startsWith("inactive romeo@");
  }

  @Test
  void nothingIsDoneForAClientThatFails() {
    StreamTester tester = opened();

    assertThat(tester.send(authenticate("PLAIN", "\0romeo\0wrong", AGENT + BIND)))
        .isEqualTo(failure("not-authorized"));
    assertThat(tester.fixture.gate.events).isEmpty();
    assertThat(tester.send(plain(BIND))).contains("<bound ");
  }

  @Test
  void abortAndFailureLeaveTheStreamAsItWas() {
    StreamTester tester = opened();
    tester.send(authenticate("SCRAM-SHA-256", client("SCRAM-SHA-256").first(), ""));

    assertThat(tester.send("<abort xmlns='urn:xmpp:sasl:2'><text>no time</text></abort>"))
        .isEqualTo(failure("aborted"));
    assertThat(tester.send("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='X'/>"))
        .contains("invalid-mechanism");
    assertThat(tester.send(plain(""))).startsWith("<success ");
  }

  @Test
  void threeFailuresOfBothProfilesEndTheStream() {
    StreamTester tester = opened();
    tester.send(authenticate("PLAIN", "\0romeo\0wrong", ""));
    tester.send(StreamTester.plain("", "romeo", "wrong"));

    assertThat(tester.send(authenticate("PLAIN", "\0romeo\0wrong", "")))
        .contains(failure("not-authorized"), "<policy-violation ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message/>",
        "<iq type='get' id='1'><query xmlns='jabber:iq:register'/></iq>",
        "<resume xmlns='urn:xmpp:sm:3' h='0' previd='x'/>",
        "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'/>",
        "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='PLAIN'/>",
        "<next xmlns='urn:xmpp:sasl:2' task='UPGR-SCRAM-SHA-256'/>"
      })
  void whateverElseIsSentMeanwhileEndsTheStream(String element) {
    StreamTester tester = opened();
    tester.send(authenticate("SCRAM-SHA-256", client("SCRAM-SHA-256").first(), ""));

    assertThat(tester.send(element)).contains("<policy-violation ");
  }

  @Test
  void aSecondAuthenticationEndsTheStream() {
    StreamTester tester = opened();
    tester.send(plain(""));
    assertThat(tester.send(plain(""))).contains("<unsupported-stanza-type ");

    StreamTester bound = opened();
    bound.send(plain(BIND));
    assertThat(bound.send(plain(BIND))).contains("<unsupported-stanza-type ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<user-agent id='not a uuid'/>",
        "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf8777g'/>",
        "<user-agent id=''/>"
      })
  void aMalformedIdentifierOfTheClient(String agent) {
    assertThat(opened().send(plain(agent))).isEqualTo(failure("malformed-request"));
  }

  @Test
  void row37_authzidOfSomeoneElse() {
    assertThat(opened().send(authenticate("PLAIN", "victim@example.org\0romeo\0secret", BIND)))
        .isEqualTo(failure("invalid-authzid"));
    assertThat(opened().send(authenticate("PLAIN", "romeo@example.org\0romeo\0secret", "")))
        .startsWith("<success ");

    StreamTester hinted = StreamTester.secure();
    hinted.send(header("to='example.org' from='victim@example.org' version='1.0'"));
    assertThat(hinted.send(authenticate("PLAIN", "romeo@example.org\0romeo\0secret", "")))
        .isEqualTo(failure("invalid-authzid"));
  }

  @Test
  void row38_aMechanismThatWasNotOffered() {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);

    assertThat(tester.send(authenticate("ANONYMOUS", "", ""))).contains("invalid-mechanism");
    // There is no channel binding on this connection.
    assertThat(tester.send(authenticate("SCRAM-SHA-256-PLUS", "p=tls-exporter,,n=romeo,r=x", "")))
        .contains("invalid-mechanism");
  }

  @ParameterizedTest
  @ValueSource(strings = {"@@@@", "AHJvbWVvAHNlY3JldA", "AHJv bWVvAHNlY3JldA==", "="})
  void row42_badBase64(String data) {
    assertThat(
            opened()
                .send(
                    "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='PLAIN'><initial-response>"
                        + data
                        + "</initial-response></authenticate>"))
        .isEqualTo(failure("incorrect-encoding"));
  }

  @Test
  void row44_anAccountOfAnotherHost() {
    StreamTester tester = StreamTester.secure();
    tester.send(header("to='other.example' from='romeo@example.org' version='1.0'"));

    assertThat(tester.send(plain(""))).isEqualTo(failure("not-authorized"));
    assertThat(tester.send(authenticate("PLAIN", "romeo@example.org\0romeo\0secret", "")))
        .isEqualTo(failure("invalid-authzid"));
  }

  // ---- XEP-0480

  private static void keepOnly(StreamTester tester, String hash) {
    List<ScramKeys> keys = List.of(StreamFixture.keys(hash));
    tester.fixture.accounts.put(
        StreamFixture.ROMEO, new Account(StreamFixture.ROMEO, keys, Instant.EPOCH));
  }

  private static final String UPGRADE =
      "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>UPGR-SCRAM-SHA-256</upgrade>"
          + "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>UPGR-SCRAM-SHA-512</upgrade>"
          + "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>UPGR-ROT13</upgrade>";

  private static String step(StreamTester tester, String hash) {
    String salt = tester.send("<next xmlns='urn:xmpp:sasl:2' task='UPGR-SCRAM-" + hash + "'/>");
    assertThat(salt)
        .startsWith("<task-data xmlns='urn:xmpp:sasl:2'><salt xmlns='urn:xmpp:scram-upgrade:0'")
        .contains("iterations='" + Passwords.ITERATIONS + "'");
    return tester.send(
        "<task-data xmlns='urn:xmpp:sasl:2'><hash xmlns='urn:xmpp:scram-upgrade:0'>"
            + salted(hash, decoded(salt, "salt"))
            + "</hash></task-data>");
  }

  private static String salted(String hash, String salt) {
    try {
      PBEKeySpec spec =
          new PBEKeySpec(
              "secret".toCharArray(),
              salt.getBytes(StandardCharsets.UTF_8),
              Passwords.ITERATIONS,
              hash.equals("SHA-256") ? 256 : 512);
      return Base64.getEncoder()
          .encodeToString(
              SecretKeyFactory.getInstance("PBKDF2WithHmac" + hash.replace("-", ""))
                  .generateSecret(spec)
                  .getEncoded());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAccountGetsTheKeysThatItLacks() throws Exception {
    StreamTester tester = opened();
    keepOnly(tester, "SHA-1");
    ScramTestClient old = client("SCRAM-SHA-1");

    String challenge = tester.send(authenticate("SCRAM-SHA-1", old.first(), UPGRADE + BIND));
    String first = tester.send(response(old.last(decoded(challenge, "challenge"))));
    assertThat(first)
        .startsWith("<continue xmlns='urn:xmpp:sasl:2'><additional-data>")
        .endsWith("<tasks><task>UPGR-SCRAM-SHA-256</task></tasks></continue>");
    String second = step(tester, "SHA-256");
    assertThat(second)
        .isEqualTo(
            "<continue xmlns='urn:xmpp:sasl:2'><tasks><task>UPGR-SCRAM-SHA-512</task></tasks>"
                + "</continue>");
    assertThat(step(tester, "SHA-512"))
        .startsWith("<success xmlns='urn:xmpp:sasl:2'><authorization-identifier>romeo@example.org/")
        .contains("<bound ");

    Account upgraded = Objects.requireNonNull(tester.fixture.accounts.get(StreamFixture.ROMEO));
    assertThat(upgraded.keys())
        .extracting(ScramKeys::hash)
        .containsExactly("SHA-1", "SHA-256", "SHA-512");
    for (ScramKeys keys : upgraded.keys()) {
      ScramKeys derived = Passwords.derive("secret", keys.hash(), keys.salt(), keys.iterations());
      assertThat(keys.storedKey()).isEqualTo(derived.storedKey());
      assertThat(keys.serverKey()).isEqualTo(derived.serverKey());
    }
  }

  @Test
  void anAccountThatLacksNothingIsLetInAtOnce() {
    assertThat(opened().send(plain(UPGRADE))).startsWith("<success ");
  }

  /// Before the first task, and between it and the proof of the old password.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPasswordThatWasChangedMeanwhileIsNotBroughtBack(boolean early) throws Exception {
    StreamTester tester = opened();
    keepOnly(tester, "SHA-1");
    ScramTestClient old = client("SCRAM-SHA-1");
    String challenge = tester.send(early ? authenticate("SCRAM-SHA-1", old.first(), UPGRADE) : "");
    ScramKeys other = Passwords.derive("other", "SHA-1", new byte[16], 4_096);
    Account changed = new Account(StreamFixture.ROMEO, List.of(other), Instant.EPOCH);
    tester.send(early ? "" : plain(UPGRADE));
    tester.fixture.accounts.put(StreamFixture.ROMEO, changed);
    tester.send(early ? response(old.last(decoded(challenge, "challenge"))) : "");

    assertThat(step(tester, "SHA-256")).contains("<not-authorized ", "</stream:stream>");
    assertThat(tester.fixture.accounts.get(StreamFixture.ROMEO)).isEqualTo(changed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "AAAA", "@@"})
  void aHashThatIsNone(String hash) {
    StreamTester tester = opened();
    keepOnly(tester, "SHA-1");
    tester.send(plain(UPGRADE));
    tester.send("<next xmlns='urn:xmpp:sasl:2' task='UPGR-SCRAM-SHA-256'/>");

    assertThat(
            tester.send(
                "<task-data xmlns='urn:xmpp:sasl:2'><hash xmlns='urn:xmpp:scram-upgrade:0'>"
                    + hash
                    + "</hash></task-data>"))
        .contains("<failure ", "</stream:stream>");
    assertThat(tester.fixture.gate.events).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='PLAIN'/>",
        "<response xmlns='urn:xmpp:sasl:2'/>",
        "<task-data xmlns='urn:xmpp:sasl:2'/>",
        "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>"
      })
  void noTaskMayBeLeftOut(String element) {
    StreamTester tester = opened();
    keepOnly(tester, "SHA-1");
    tester.send(plain(UPGRADE));

    assertThat(tester.send(element)).contains("<policy-violation ");
    assertThat(tester.fixture.gate.events).isEmpty();
  }
}
