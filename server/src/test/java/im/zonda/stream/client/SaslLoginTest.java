package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.auth;
import static im.zonda.stream.client.StreamTester.base64;
import static im.zonda.stream.client.StreamTester.plain;
import static im.zonda.stream.client.StreamTester.response;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.store.StoreException;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.sasl.SaslMechanism;
import im.zonda.stream.sasl.ScramTestClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Authentication over a stream (RFC 6120, section 6).
final class SaslLoginTest {
  private static final String SUCCESS = "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'";

  private static String failure(String condition) {
    return "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><" + condition + "/></failure>";
  }

  private static StreamTester opened() {
    StreamTester tester = StreamTester.secure();
    tester.transport.bindings.put(ChannelBinding.TLS_EXPORTER, new byte[] {1, 2, 3});
    tester.transport.bindings.put(ChannelBinding.TLS_SERVER_END_POINT, new byte[] {4, 5});
    tester.send(HEADER);
    return tester;
  }

  /// The decoded text of the one element that was answered.
  private static String data(String answer) {
    int start = answer.indexOf('>') + 1;
    return new String(
        Base64.getDecoder().decode(answer.substring(start, answer.indexOf("</", start))),
        StandardCharsets.UTF_8);
  }

  private static ScramTestClient client(String mechanism, String password) {
    boolean plus = mechanism.endsWith("PLUS");
    return new ScramTestClient(
        mechanism,
        "romeo",
        password,
        plus ? "tls-exporter" : "",
        plus ? new byte[] {1, 2, 3} : new byte[0]);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "SCRAM_.*")
  void everyScramMechanism(SaslMechanism mechanism) throws Exception {
    StreamTester tester = opened();
    ScramTestClient client = client(mechanism.saslName(), "secret");

    String challenge = tester.send(auth(mechanism.saslName(), base64(client.first())));
    assertThat(challenge).startsWith("<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>");
    assertThat(data(challenge)).contains(",i=4096,h=");
    String success = tester.send(response(base64(client.last(data(challenge)))));

    assertThat(success).startsWith(SUCCESS);
    assertThat(data(success)).isEqualTo(client.expectedServerFinal());
    assertThat(tester.send(HEADER)).contains("<bind ");
  }

  @Test
  void anExchangeInPiecesAndWithoutInitialResponse() throws Exception {
    StreamTester tester = opened();
    ScramTestClient client = client("SCRAM-SHA-256", "secret");

    assertThat(tester.trickle(auth("SCRAM-SHA-256", "")))
        .isEqualTo("<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>");
    String challenge = tester.trickle(response(base64(client.first())));

    assertThat(tester.trickle(response(base64(client.last(data(challenge)))))).startsWith(SUCCESS);
  }

  @Test
  void plainWithAndWithoutInitialResponse() {
    assertThat(opened().send(plain("", "romeo", "secret"))).startsWith(SUCCESS);

    StreamTester tester = opened();
    assertThat(tester.send(auth("PLAIN", "")))
        .isEqualTo("<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>");
    assertThat(tester.send(response(base64("\0romeo\0secret")))).startsWith(SUCCESS);
  }

  @Test
  void namesArePrepared() {
    assertThat(opened().send(plain("", "ROMEO", "secret"))).startsWith(SUCCESS);
  }

  @Test
  void theWrongPasswordFailsAndTheRightOneFollows() {
    StreamTester tester = opened();

    assertThat(tester.send(plain("", "romeo", "wrong"))).isEqualTo(failure("not-authorized"));
    assertThat(tester.send(plain("", "romeo", "secret"))).startsWith(SUCCESS);
  }

  @Test
  void inputThatArrivesDuringALookupWaitsAndIsReadAfterIt() {
    StreamTester tester = opened();
    String all =
        plain("", "romeo", "secret") + HEADER + StreamTester.bind("<resource>q</resource>");
    byte[] bytes = all.getBytes(StandardCharsets.UTF_8);

    tester.bytes.input(bytes, 0, bytes.length - 10);
    assertThat(tester.transport.output()).isEmpty();
    assertThat(tester.transport.reading).isFalse();
    tester.bytes.input(bytes, bytes.length - 10, 10);
    String answer = tester.settle();

    assertThat(answer).contains(SUCCESS, "<bind ", "<jid>romeo@example.org/q</jid>");
    assertThat(tester.transport.reading).isTrue();
  }

  @Test
  void aStreamThatEndsDuringALookupAnswersNothing() {
    StreamTester tester = opened();
    byte[] bytes = plain("", "romeo", "secret").getBytes(StandardCharsets.UTF_8);
    tester.bytes.input(bytes, 0, bytes.length);

    tester.stream.disconnected();

    assertThat(tester.settle()).isEmpty();
  }

  @Test
  void aStoreThatFailsIsATemporaryFailure() {
    StreamTester tester = opened();
    tester.fixture.storeFailure =
        new StoreException(StoreException.Category.UNAVAILABLE, "no disk", null);

    assertThat(tester.send(plain("", "romeo", "secret")))
        .isEqualTo(failure("temporary-auth-failure"));
    assertThat(tester.send(auth("SCRAM-SHA-1", base64("n,,n=romeo,r=abc"))))
        .isEqualTo(failure("temporary-auth-failure"));
    tester.fixture.storeFailure = null;
    assertThat(tester.send(plain("", "romeo", "secret"))).startsWith(SUCCESS);
  }

  @Test
  void abort() {
    StreamTester tester = opened();
    tester.send(auth("PLAIN", ""));

    assertThat(tester.send("<abort xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"))
        .isEqualTo(failure("aborted"));
    assertThat(tester.send(plain("", "romeo", "secret"))).startsWith(SUCCESS);
  }

  @Test
  void elementsOutOfPlace() {
    assertThat(opened().send(response(""))).isEqualTo(failure("malformed-request"));
    assertThat(opened().send("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"))
        .contains("<unsupported-stanza-type ");
    assertThat(opened().send(auth("PLAIN", "<x/>"))).isEqualTo(failure("malformed-request"));

    StreamTester twice = opened();
    twice.send(auth("PLAIN", ""));
    assertThat(twice.send(auth("PLAIN", ""))).isEqualTo(failure("malformed-request"));

    StreamTester late = StreamTester.secure().authenticate();
    late.send(HEADER);
    assertThat(late.send(plain("", "romeo", "secret"))).contains("<unsupported-stanza-type ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"=", "cm9tZW8=", "AHJvbWVv", "AABzZWNyZXQ=", "AHJvbWVvAA==", "AP8AeA=="})
  void malformedPlainMessages(String data) {
    assertThat(opened().send(auth("PLAIN", data))).isEqualTo(failure("malformed-request"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"juliet@example.org", "romeo@other.example", "romeo", "@", "romeo@example.org/r"})
  void row37_theAuthzidOfAnotherUser(String authzid) {
    assertThat(opened().send(plain(authzid, "romeo", "secret")))
        .isEqualTo(failure("invalid-authzid"));
    assertThat(opened().send(auth("SCRAM-SHA-256", base64("n,a=" + authzid + ",n=romeo,r=abc"))))
        .isEqualTo(failure("invalid-authzid"));
  }

  @Test
  void row37_onesOwnAuthzidIsFine() {
    assertThat(opened().send(plain("romeo@example.org", "romeo", "secret"))).startsWith(SUCCESS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ANONYMOUS", "EXTERNAL", "scram-sha-1", "DIGEST-MD5", ""})
  void row38_mechanismsThatAreNotOffered(String mechanism) {
    assertThat(opened().send(auth(mechanism, ""))).isEqualTo(failure("invalid-mechanism"));
  }

  @Test
  void row38_plusIsRefusedWhereThereIsNothingToBindTo() {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);

    assertThat(tester.send(auth("SCRAM-SHA-256-PLUS", ""))).isEqualTo(failure("invalid-mechanism"));
    assertThat(tester.send("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"))
        .isEqualTo(failure("invalid-mechanism"));
  }

  @Test
  void row39_anUnknownUserIsLedThroughTheSameExchange() throws Exception {
    String known = exchange("romeo");
    String unknown = exchange("nobody");
    String impossible = exchange("no@body");

    assertThat(unknown).isEqualTo(exchange("nobody"));
    assertThat(unknown).isNotEqualTo(exchange("nobody2"));
    for (String answer : List.of(unknown, impossible)) {
      assertThat(answer.replaceAll("s=[^,]*", "")).isEqualTo(known.replaceAll("s=[^,]*", ""));
    }
    assertThat(exchange("NoBody")).isEqualTo(unknown);
  }

  /// What the server says in an exchange with a wrong password, nonces and iterations left out.
  private static String exchange(String name) throws Exception {
    StreamTester tester = opened();
    ScramTestClient client = client("SCRAM-SHA-256", "wrong");
    String first = client.first().replace("n=romeo", "n=" + name);
    String challenge = tester.send(auth("SCRAM-SHA-256", base64(first)));
    assertThat(challenge).startsWith("<challenge ");
    String end = tester.send(response(base64(client.last(data(challenge)))));
    assertThat(end).isEqualTo(failure("not-authorized"));
    String salt = data(challenge).replaceAll("r=[^,]*", "").replaceAll("i=[0-9]*", "");
    assertThat(salt).matches(",s=[A-Za-z0-9+/]{22}==,,h=.*");
    return salt;
  }

  @Test
  void row39_anUnknownUserOfPlainFailsAlike() {
    assertThat(opened().send(plain("", "nobody", "secret"))).isEqualTo(failure("not-authorized"));
    assertThat(opened().send(plain("", "no@body", "secret"))).isEqualTo(failure("not-authorized"));
  }

  @Test
  void row41_tooManyFailuresEndTheStream() {
    StreamTester tester = opened();
    for (int i = 1; i < Limits.defaults().saslFailures(); i++) {
      assertThat(tester.send(plain("", "romeo", "wrong"))).isEqualTo(failure("not-authorized"));
    }

    assertThat(tester.send(plain("", "romeo", "wrong")))
        .startsWith(failure("not-authorized"))
        .contains("<policy-violation ")
        .endsWith("</stream:stream>");
    assertThat(tester.transport.closed).isTrue();
  }

  @Test
  void row41_failuresCountOverRestarts() {
    StreamTester tester = new StreamTester();
    tester.send(HEADER);
    tester.send(plain("", "romeo", "secret"));
    tester.send(plain("", "romeo", "secret"));
    tester.send(StreamTester.STARTTLS);
    tester.send(HEADER);

    assertThat(tester.send(plain("", "romeo", "wrong"))).contains("<policy-violation ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@@@@",
        "AHJvbWVvAHNlY3JldA",
        "AHJvbWVvAHNlY3JldB==",
        " AHJvbWVvAHNlY3JldA==",
        "AHJvbWVv\nAHNlY3JldA==",
        "AHJvbWVvAHNlY3JldA===",
        "A",
        "==",
        "AHJvbWVvAHNlY3Jl-_8="
      })
  void row42_badBase64(String data) {
    assertThat(opened().send(auth("PLAIN", data))).isEqualTo(failure("incorrect-encoding"));
  }
}
