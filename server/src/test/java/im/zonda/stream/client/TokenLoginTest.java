package im.zonda.stream.client;

import static im.zonda.stream.client.Sasl2LoginTest.AGENT;
import static im.zonda.stream.client.Sasl2LoginTest.plain;
import static im.zonda.stream.client.StreamTester.HEADER;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.auth.KnownClient;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.sasl.TokenMechanism;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Logins by tokens (XEP-0484).
final class TokenLoginTest {
  private static final String ID = "d4565fa7-4d72-4749-b3d3-740edbf87770";
  private static final byte[] EXPORTER = {1, 2, 3};
  private static final byte[] END_POINT = {4, 5};
  private static final String NOT_AUTHORIZED =
      "<failure xmlns='urn:xmpp:sasl:2'><not-authorized"
          + " xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>";

  private final StreamTester first = StreamTester.secure();
  private final StreamFixture fixture = first.fixture;

  /// Another connection to the same server.
  private StreamTester opened() {
    StreamTester tester = StreamTester.secure(fixture);
    tester.transport.bindings.put(ChannelBinding.TLS_EXPORTER, EXPORTER);
    tester.transport.bindings.put(ChannelBinding.TLS_SERVER_END_POINT, END_POINT);
    tester.send(HEADER);
    return tester;
  }

  private static String request(String mechanism) {
    return "<request-token xmlns='urn:xmpp:fast:0' mechanism='" + mechanism + "'/>";
  }

  private String issued(String mechanism) {
    return tokenIn(opened().send(plain(AGENT + request(mechanism))));
  }

  private static String tokenIn(String answer) {
    Matcher matcher =
        Pattern.compile(
                "<token xmlns='urn:xmpp:fast:0' expiry='[0-9-]+T[0-9:]+Z' token='([^']+)'/></success>")
            .matcher(answer);
    assertThat(matcher.find()).as(answer).isTrue();
    return matcher.group(1);
  }

  private static byte[] hmac(String token, String role, byte[] binding) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update(role.getBytes(StandardCharsets.US_ASCII));
      return mac.doFinal(binding);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] binding(String mechanism) {
    return mechanism.endsWith("EXPR")
        ? EXPORTER
        : mechanism.endsWith("ENDP") ? END_POINT : new byte[0];
  }

  private static String login(String mechanism, String token, String more) {
    return login("romeo", mechanism, hmac(token, "Initiator", binding(mechanism)), more);
  }

  private static String login(String name, String mechanism, byte[] proof, String more) {
    byte[] prefix = (name + "\0").getBytes(StandardCharsets.UTF_8);
    byte[] message = Arrays.copyOf(prefix, prefix.length + proof.length);
    System.arraycopy(proof, 0, message, prefix.length, proof.length);
    return "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='"
        + mechanism
        + "'><initial-response>"
        + Base64.getEncoder().encodeToString(message)
        + "</initial-response>"
        + more
        + "</authenticate>";
  }

  /// A login by the token that a client has got.
  static String loginAs(String name, String mechanism, String token) {
    return login(name, mechanism, hmac(token, "Initiator", binding(mechanism)), fast(""));
  }

  private static String fast(String attributes) {
    return AGENT + "<fast xmlns='urn:xmpp:fast:0' " + attributes + "/>";
  }

  private String comesBack(String mechanism, String token) {
    return opened().send(login(mechanism, token, fast("")));
  }

  @Test
  void mechanismsForTheBindingsThatTheConnectionHas() {
    assertThat(opened().transport.output()).isEmpty();
    StreamTester bare = StreamTester.secure();
    assertThat(bare.send(HEADER))
        .contains("<fast xmlns='urn:xmpp:fast:0'><mechanism>HT-SHA-256-NONE</mechanism></fast>")
        .doesNotContain("tls-0rtt");
    StreamTester exporter = StreamTester.secure();
    exporter.transport.bindings.put(ChannelBinding.TLS_EXPORTER, EXPORTER);
    assertThat(exporter.send(HEADER)).contains("<mechanism>HT-SHA-256-EXPR</mechanism>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HT-SHA-256-EXPR", "HT-SHA-256-ENDP", "HT-SHA-256-NONE"})
  void aClientComesBackWithItsToken(String mechanism) {
    String token = issued(mechanism);
    assertThat(token).hasSizeGreaterThanOrEqualTo(32);

    StreamTester tester = opened();
    String answer =
        tester.send(login(mechanism, token, fast("count='7'") + "<bind xmlns='urn:xmpp:bind:0'/>"));

    assertThat(answer)
        .startsWith("<success xmlns='urn:xmpp:sasl:2'><additional-data>")
        .contains("<authorization-identifier>romeo@example.org/", "<bound ")
        .doesNotContain("<token");
    String data = answer.replaceAll(".*<additional-data>([^<]*)<.*", "$1");
    assertThat(Base64.getDecoder().decode(data))
        .isEqualTo(hmac(token, "Responder", binding(mechanism)));
    // A token is for many logins.
    assertThat(comesBack(mechanism, token)).startsWith("<success ");
  }

  @Test
  void aLoginByATokenReadsOnceAndWritesNothing() {
    String token = issued("HT-SHA-256-EXPR");
    comesBack("HT-SHA-256-EXPR", token); // moves to its place
    int reads = fixture.values.reads;
    int writes = fixture.values.writes;

    assertThat(comesBack("HT-SHA-256-EXPR", token)).startsWith("<success ");

    assertThat(fixture.values.reads - reads).isEqualTo(1);
    assertThat(fixture.values.writes - writes).isZero();
  }

  @Test
  void noTokenIsStored() {
    String token = issued("HT-SHA-256-EXPR");

    byte[] stored = Objects.requireNonNull(fixture.values.all.get(StreamFixture.ROMEO)).get(ID);
    assertThat(stored).isNotNull();
    String text = new String(Objects.requireNonNull(stored), StandardCharsets.ISO_8859_1);
    assertThat(text).doesNotContain(token);
    byte[] raw = Base64.getUrlDecoder().decode(token);
    assertThat(text).doesNotContain(new String(raw, StandardCharsets.ISO_8859_1));
  }

  @Test
  void withoutAnIdentifierOrAnOfferedMechanismThereIsNoToken() {
    assertThat(opened().send(plain(request("HT-SHA-256-EXPR"))))
        .startsWith("<success ")
        .doesNotContain("<token");
    assertThat(opened().send(plain(AGENT + request("HT-SHA-512-UNIQ"))))
        .startsWith("<success ")
        .doesNotContain("<token");
    StreamTester bare = StreamTester.secure(fixture);
    bare.send(HEADER);
    assertThat(bare.send(plain(AGENT + request("HT-SHA-256-EXPR"))))
        .startsWith("<success ")
        .doesNotContain("<token");
  }

  @Test
  void noTokenForAClientThatFails() {
    assertThat(
            opened()
                .send(
                    Sasl2LoginTest.authenticate(
                        "PLAIN", "\0romeo\0wrong", AGENT + request("HT-SHA-256-NONE"))))
        .isEqualTo(NOT_AUTHORIZED);
    assertThat(fixture.values.all).isEmpty();
  }

  // ---- row 49: theft and reuse

  @ParameterizedTest
  @EnumSource(TokenMechanism.class)
  void row49_aTokenIsForOneMechanism(TokenMechanism other) {
    String token = issued("HT-SHA-256-EXPR");

    String answer = comesBack(other.saslName(), token);

    if (other == TokenMechanism.HT_SHA_256_EXPR) {
      assertThat(answer).startsWith("<success ");
    } else {
      assertThat(answer).isEqualTo(NOT_AUTHORIZED);
    }
  }

  @Test
  void row49_aProofOfAnotherConnectionIsWorthNothing() {
    String token = issued("HT-SHA-256-EXPR");
    byte[] proof = hmac(token, "Initiator", new byte[] {9, 9, 9});

    assertThat(opened().send(login("romeo", "HT-SHA-256-EXPR", proof, fast(""))))
        .isEqualTo(NOT_AUTHORIZED);
  }

  @Test
  void row49_aTokenIsForOneClientAndOneAccount() {
    fixture.accounts.put(
        Jid.of("victim@example.org"),
        new Account(
            Jid.of("victim@example.org"), List.of(StreamFixture.keys("SHA-256")), Instant.EPOCH));
    String token = issued("HT-SHA-256-NONE");
    byte[] proof = hmac(token, "Initiator", new byte[0]);

    assertThat(
            opened()
                .send(login("romeo", "HT-SHA-256-NONE", proof, fast("").replace("d4565", "00000"))))
        .isEqualTo(NOT_AUTHORIZED);
    assertThat(opened().send(login("victim", "HT-SHA-256-NONE", proof, fast(""))))
        .isEqualTo(NOT_AUTHORIZED);
  }

  @Test
  void row39_unknownUsersFailLikeWrongTokens() {
    issued("HT-SHA-256-NONE");
    byte[] proof = new byte[32];

    String wrong = opened().send(login("romeo", "HT-SHA-256-NONE", proof, fast("")));
    String nobody = opened().send(login("nobody", "HT-SHA-256-NONE", proof, fast("")));
    String impossible = opened().send(login("a b@c/d", "HT-SHA-256-NONE", proof, fast("")));

    assertThat(List.of(wrong, nobody, impossible)).containsOnly(NOT_AUTHORIZED);
  }

  @Test
  void row49_anotherPasswordEndsAllTokens() {
    String token = issued("HT-SHA-256-NONE");
    Account before = Objects.requireNonNull(fixture.accounts.get(StreamFixture.ROMEO));
    List<ScramKeys> keys = new ArrayList<>();
    for (ScramKeys each : before.keys()) {
      keys.add(Passwords.derive("new", each.hash(), new byte[16], 4_096));
    }
    fixture.accounts.put(
        StreamFixture.ROMEO, new Account(StreamFixture.ROMEO, keys, Instant.EPOCH));

    assertThat(comesBack("HT-SHA-256-NONE", token)).isEqualTo(NOT_AUTHORIZED);

    // The old one back again, as by a restored backup: the token is what it was.
    fixture.accounts.put(StreamFixture.ROMEO, before);
    assertThat(comesBack("HT-SHA-256-NONE", token)).startsWith("<success ");
  }

  @Test
  void moreKeysForTheSamePasswordEndNoToken() {
    Account all = Objects.requireNonNull(fixture.accounts.get(StreamFixture.ROMEO));
    fixture.accounts.put(
        StreamFixture.ROMEO,
        new Account(StreamFixture.ROMEO, List.of(all.keys().getLast()), Instant.EPOCH));
    String token = issued("HT-SHA-256-NONE");
    fixture.accounts.put(StreamFixture.ROMEO, all);

    assertThat(comesBack("HT-SHA-256-NONE", token)).startsWith("<success ");
  }

  @Test
  void aRemovedAccountAndARevokedClient() {
    String token = issued("HT-SHA-256-NONE");
    Account account = Objects.requireNonNull(fixture.accounts.remove(StreamFixture.ROMEO));
    assertThat(comesBack("HT-SHA-256-NONE", token)).isEqualTo(NOT_AUTHORIZED);
    fixture.accounts.put(StreamFixture.ROMEO, account);
    fixture.clients().remove(StreamFixture.ROMEO, ID);
    assertThat(comesBack("HT-SHA-256-NONE", token)).isEqualTo(NOT_AUTHORIZED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<fast xmlns='urn:xmpp:fast:0'/>",
        "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'/>",
        "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'/>"
            + "<fast xmlns='urn:xmpp:fast:0' count='-1'/>"
      })
  void whatIsMissing(String more) {
    String token = issued("HT-SHA-256-NONE");

    assertThat(opened().send(login("HT-SHA-256-NONE", token, more)))
        .contains("<malformed-request ");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 33, 64})
  void aProofOfAnotherLength(int length) {
    assertThat(opened().send(login("romeo", "HT-SHA-256-NONE", new byte[length], fast(""))))
        .containsAnyOf("<malformed-request ", "<not-authorized ");
  }

  @Test
  void noTokenInTheClearAndNoneWithoutItsBinding() {
    StreamTester clear = new StreamTester();
    clear.send(HEADER);
    assertThat(clear.send(login("HT-SHA-256-NONE", "x", fast("")))).contains("encryption-required");
    StreamTester bare = StreamTester.secure(fixture);
    bare.send(HEADER);
    assertThat(bare.send(login("HT-SHA-256-EXPR", "x", fast("")))).contains("invalid-mechanism");
  }

  @Test
  void aTokenProvesNoPassword() {
    String token = issued("HT-SHA-256-NONE");
    ScramKeys one = StreamFixture.keys("SHA-256");
    fixture.accounts.put(
        StreamFixture.ROMEO, new Account(StreamFixture.ROMEO, List.of(one), Instant.EPOCH));

    assertThat(
            opened()
                .send(
                    login(
                        "HT-SHA-256-NONE",
                        token,
                        fast("")
                            + "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>UPGR-SCRAM-SHA-512"
                            + "</upgrade>")))
        .startsWith("<success ");
  }

  // ---- life of a token

  private void later(Duration time) {
    fixture.now = fixture.now.plus(time);
  }

  @Test
  void aTokenExpires() {
    String token = issued("HT-SHA-256-NONE");
    later(Duration.ofDays(29));
    assertThat(comesBack("HT-SHA-256-NONE", token)).startsWith("<success ");
    later(Duration.ofDays(2));

    assertThat(comesBack("HT-SHA-256-NONE", token)).contains("<credentials-expired ");
    later(Duration.ofDays(100));
    assertThat(comesBack("HT-SHA-256-NONE", token)).contains("<credentials-expired ");
  }

  @Test
  void aTokenOfADayIsReplacedAndStaysUntilTheNewOneIsUsed() {
    String old = issued("HT-SHA-256-NONE");
    later(Duration.ofHours(25));

    String replaced = tokenIn(comesBack("HT-SHA-256-NONE", old));
    assertThat(replaced).isNotEqualTo(old);
    // As if the answer had been lost: the next one takes the place of the one not used.
    String again = tokenIn(comesBack("HT-SHA-256-NONE", old));
    assertThat(again).isNotEqualTo(replaced);
    assertThat(comesBack("HT-SHA-256-NONE", replaced)).isEqualTo(NOT_AUTHORIZED);

    assertThat(comesBack("HT-SHA-256-NONE", again))
        .startsWith("<success ")
        .doesNotContain("<token");
    assertThat(comesBack("HT-SHA-256-NONE", old)).isEqualTo(NOT_AUTHORIZED);
    assertThat(comesBack("HT-SHA-256-NONE", again)).startsWith("<success ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"invalidate='true'", "invalidate='1'"})
  void aTokenIsGivenUp(String attribute) {
    String token = issued("HT-SHA-256-NONE");
    later(Duration.ofHours(25));

    assertThat(opened().send(login("HT-SHA-256-NONE", token, fast(attribute))))
        .startsWith("<success ")
        .doesNotContain("<token");
    assertThat(comesBack("HT-SHA-256-NONE", token)).isEqualTo(NOT_AUTHORIZED);
  }

  @Test
  void aTokenIsGivenUpForAnother() {
    String token = issued("HT-SHA-256-NONE");

    String other =
        tokenIn(
            opened()
                .send(
                    login(
                        "HT-SHA-256-NONE",
                        token,
                        fast("invalidate='true'") + request("HT-SHA-256-EXPR"))));

    assertThat(comesBack("HT-SHA-256-NONE", token)).isEqualTo(NOT_AUTHORIZED);
    assertThat(comesBack("HT-SHA-256-EXPR", other)).startsWith("<success ");
  }

  @Test
  void aFullDiskLetsClientsIn() {
    String token = issued("HT-SHA-256-NONE");
    fixture.values.broken = true;

    assertThat(comesBack("HT-SHA-256-NONE", token)).startsWith("<success ");
    assertThat(opened().send(plain(AGENT + request("HT-SHA-256-NONE"))))
        .startsWith("<success ")
        .doesNotContain("<token");
    // But what the client has given up would live on.
    assertThat(opened().send(login("HT-SHA-256-NONE", token, fast("invalidate='1'"))))
        .contains("<temporary-auth-failure ");
  }

  @Test
  void onlySoManyClientsOfAnAccountAreKept() {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      later(Duration.ofMinutes(1));
      String agent = AGENT.replace("d4565fa7", "0000000" + i);
      tokens.add(tokenIn(opened().send(plain(agent + request("HT-SHA-256-NONE")))));
    }

    assertThat(fixture.clients().all(StreamFixture.ROMEO))
        .extracting(KnownClient::id)
        .allMatch(id -> !id.startsWith("00000000"))
        .hasSize(3);
    assertThat(
            opened()
                .send(
                    login(
                        "HT-SHA-256-NONE",
                        tokens.getFirst(),
                        fast("").replace("d4565fa7", "00000000"))))
        .isEqualTo(NOT_AUTHORIZED);
  }
}
