package im.zonda.stream.sasl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ongres.scram.client.ScramClient;
import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.auth.Passwords;
import im.zonda.store.ScramKeys;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.MemoryTransport;
import im.zonda.stream.client.StreamFixture;
import im.zonda.stream.sasl.ScramServer.ClientFirst;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ScramServerTest {
  private static final byte[] EXPORTER = {1, 2, 3, (byte) 200};
  private static final byte[] END_POINT = {9, 8, 7};

  private static SaslOffer offer(boolean bindings) {
    MemoryTransport transport = new MemoryTransport();
    transport.secure = true;
    if (bindings) {
      transport.bindings.put(ChannelBinding.TLS_EXPORTER, EXPORTER);
      transport.bindings.put(ChannelBinding.TLS_SERVER_END_POINT, END_POINT);
    }
    return new SaslOffer(transport);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void theExampleOfRfc5802() throws SaslFailure {
    ScramKeys keys =
        Passwords.derive("pencil", "SHA-1", Base64.getDecoder().decode("QSXCR+Q6sek8bf92"), 4096);
    ScramServer server =
        new ScramServer(SaslMechanism.SCRAM_SHA_1, offer(false), "3rfcNHYJY1ZVvWVs7j");

    ClientFirst first = server.clientFirst(bytes("n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL"));

    assertThat(first).isEqualTo(new ClientFirst("user", ""));
    assertThat(text(server.serverFirst(keys, "")))
        .isEqualTo("r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096");
    assertThat(
            text(
                server.finish(
                    bytes(
                        "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,"
                            + "p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts="))))
        .isEqualTo("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=");
  }

  @Test
  void theExampleOfRfc7677() throws SaslFailure {
    ScramKeys keys =
        Passwords.derive(
            "pencil", "SHA-256", Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);
    ScramServer server =
        new ScramServer(
            SaslMechanism.SCRAM_SHA_256, offer(false), "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0");

    server.clientFirst(bytes("n,,n=user,r=rOprNGfwEbeRWgbNEkqO"));

    assertThat(text(server.serverFirst(keys, "")))
        .isEqualTo(
            "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                + "s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
    assertThat(
            text(
                server.finish(
                    bytes(
                        "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                            + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="))))
        .isEqualTo("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "SCRAM_.*")
  void anIndependentClientAndThisServerAgree(SaslMechanism mechanism) throws Exception {
    for (ChannelBinding kind : ChannelBinding.values()) {
      byte[] data = kind == ChannelBinding.TLS_EXPORTER ? EXPORTER : END_POINT;
      var building =
          ScramClient.builder()
              .advertisedMechanisms(List.of(mechanism.saslName()))
              .username("romeo,=x")
              .password("secret".toCharArray());
      if (mechanism.plus()) {
        building = building.channelBinding(kind.prefix(), data);
      }
      ScramClient client = building.build();
      ScramServer server = new ScramServer(mechanism, offer(mechanism.plus()), "server-nonce");

      ClientFirst first = server.clientFirst(bytes(client.clientFirstMessage().toString()));
      assertThat(first.name()).isEqualTo("romeo,=x");
      ScramKeys keys = StreamFixture.keys(mechanism.hash());
      client.serverFirstMessage(text(server.serverFirst(keys, "")));
      byte[] last = server.finish(bytes(client.clientFinalMessage().toString()));

      // Throws if the server's signature is not right.
      client.serverFinalMessage(text(last));
    }
  }

  @ParameterizedTest
  @CsvSource({"SCRAM_SHA_256", "SCRAM_SHA_512", "SCRAM_SHA_1"})
  void theWrongPasswordIsRefused(SaslMechanism mechanism) throws Exception {
    ScramClient client =
        ScramClient.builder()
            .advertisedMechanisms(List.of(mechanism.saslName()))
            .username("romeo")
            .password("wrong".toCharArray())
            .build();
    ScramServer server = new ScramServer(mechanism, offer(false), "server-nonce");
    server.clientFirst(bytes(client.clientFirstMessage().toString()));
    ScramKeys keys = StreamFixture.keys(mechanism.hash());
    client.serverFirstMessage(text(server.serverFirst(keys, "")));

    refused(
        SaslCondition.NOT_AUTHORIZED,
        () -> server.finish(bytes(client.clientFinalMessage().toString())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "n",
        "n,",
        "n,,",
        "n,,n=user",
        "n,,r=abc,n=user",
        "n,,n=,r=abc",
        "n,,n=user,r=",
        "n,,n=user,r=a b",
        "n,,n=user,r=\u00e9",
        "n,,n=user,r=abc,",
        "n,,n=user,r=abc,1=x",
        "n,,n=user,r=abc,m=x",
        "n,,m=ext,n=user,r=abc",
        "n,,n=us=er,r=abc",
        "n,,n=us=2Xer,r=abc",
        "n,,n=us=2cer,r=abc",
        "n,,n=user=,r=abc",
        "n,b=other,n=user,r=abc",
        "n,a=,n=user,r=abc",
        "x,,n=user,r=abc",
        "p=,,n=user,r=abc",
        "p=tls-exporter,,n=user,r=abc",
        "n,,n=us\u0000er,r=abc",
      })
  void row40_malformedFirstMessages(String message) {
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256, offer(true), "x");

    refused(SaslCondition.MALFORMED_REQUEST, () -> server.clientFirst(bytes(message)));
  }

  @Test
  void row40_firstMessagesThatAreNotUtf8OrTooLong() {
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256, offer(false), "x");

    refused(
        SaslCondition.MALFORMED_REQUEST,
        () -> server.clientFirst("n,,n=\u00e9,r=abc".getBytes(StandardCharsets.ISO_8859_1)));
    refused(
        SaslCondition.MALFORMED_REQUEST,
        () -> server.clientFirst(bytes("n,,n=user,r=" + "a".repeat(257))));
  }

  @Test
  void namesAndAuthzidsAreUnescaped() throws SaslFailure {
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256, offer(false), "x");

    assertThat(server.clientFirst(bytes("n,a=a=2Cb@example.org,n=c=3Dd,r=abc,x=ignored")))
        .isEqualTo(new ClientFirst("c=d", "a,b@example.org"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "p=AAAA",
        "c=biws,p=AAAA",
        "c=biws,r=abcx",
        "c=biws,x=1,r=abcx,p=AAAA",
        "r=abcx,c=biws,p=AAAA",
        "c=biws,r=abcx,m=y,p=AAAA",
        "c=,r=abcx,p=AAAA",
      })
  void row40_malformedFinalMessages(String message) throws SaslFailure {
    refused(SaslCondition.MALFORMED_REQUEST, () -> afterChallenge().finish(bytes(message)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // An empty proof, a short one, one of the right length.
        "c=biws,r=abcx,p=",
        "c=biws,r=abcx,p=AAAA",
        "c=biws,r=abcx,p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        // The client's nonce alone, without ours; another; ours repeated.
        "c=biws,r=abc,p=AAAA",
        "c=biws,r=abcy,p=AAAA",
        "c=biws,r=abcxx,p=AAAA",
      })
  void row40_finalMessagesThatProveNothing(String message) throws SaslFailure {
    refused(SaslCondition.NOT_AUTHORIZED, () -> afterChallenge().finish(bytes(message)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"c=b,r=abcx,p=AAAA", "c=biws,r=abcx,p=@@@@", "c=biws,r=abcx,p=AAA"})
  void row42_badBase64InsideAMessage(String message) throws SaslFailure {
    refused(SaslCondition.INCORRECT_ENCODING, () -> afterChallenge().finish(bytes(message)));
  }

  @Test
  void row40_aReplayedExchangeIsRefused() throws Exception {
    ScramClient client =
        ScramClient.builder()
            .advertisedMechanisms(List.of("SCRAM-SHA-256"))
            .username("romeo")
            .password("secret".toCharArray())
            .build();
    ScramKeys keys = StreamFixture.keys("SHA-256");
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256, offer(false), "one");
    byte[] first = bytes(client.clientFirstMessage().toString());
    server.clientFirst(first);
    client.serverFirstMessage(text(server.serverFirst(keys, "")));
    byte[] last = bytes(client.clientFinalMessage().toString());
    server.finish(last);

    ScramServer again = new ScramServer(SaslMechanism.SCRAM_SHA_256, offer(false), "two");
    again.clientFirst(first);
    again.serverFirst(keys, "");

    refused(SaslCondition.NOT_AUTHORIZED, () -> again.finish(last));
  }

  @Test
  void row35_aClientThatMissesTheBindingsWeOffered() {
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256, offer(true), "x");

    refused(SaslCondition.NOT_AUTHORIZED, () -> server.clientFirst(bytes("y,,n=user,r=abc")));
  }

  @Test
  void row35_aClientThatWouldBindIsFineWhereNothingIsOffered() throws SaslFailure {
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256, offer(false), "x");

    assertThat(server.clientFirst(bytes("y,,n=user,r=abc")).name()).isEqualTo("user");
  }

  @Test
  void row35_aPlusMechanismWithoutBinding() {
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256_PLUS, offer(true), "x");

    refused(SaslCondition.MALFORMED_REQUEST, () -> server.clientFirst(bytes("n,,n=user,r=abc")));
  }

  @Test
  void row35_theDataOfAnotherConnection() throws Exception {
    ScramClient client =
        ScramClient.builder()
            .advertisedMechanisms(List.of("SCRAM-SHA-256-PLUS"))
            .username("romeo")
            .password("secret".toCharArray())
            .channelBinding("tls-exporter", new byte[] {6, 6, 6})
            .build();
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256_PLUS, offer(true), "x");
    server.clientFirst(bytes(client.clientFirstMessage().toString()));
    client.serverFirstMessage(text(server.serverFirst(StreamFixture.keys("SHA-256"), "")));

    refused(
        SaslCondition.NOT_AUTHORIZED,
        () -> server.finish(bytes(client.clientFinalMessage().toString())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls-unique", "tls-server-end-point ", "made-up"})
  void row36_bindingsThatAreNotOffered(String kind) {
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256_PLUS, offer(true), "x");

    refused(
        SaslCondition.NOT_AUTHORIZED,
        () -> server.clientFirst(bytes("p=" + kind + ",,n=user,r=abc")));
  }

  @Test
  void theHashOfTheOfferIsThatOfXep0474() {
    // The parts of the hashed text, in the order of their bytes.
    String mechanisms =
        "PLAIN\u001eSCRAM-SHA-1\u001eSCRAM-SHA-1-PLUS\u001eSCRAM-SHA-256\u001e"
            + "SCRAM-SHA-256-PLUS\u001eSCRAM-SHA-512\u001eSCRAM-SHA-512-PLUS";
    String bindings = "tls-exporter\u001etls-server-end-point";

    assertThat(offer(true).downgradeHash("SHA-256"))
        .isEqualTo(sha256(mechanisms + "\u001f" + bindings));
    assertThat(offer(false).downgradeHash("SHA-256"))
        .isEqualTo(sha256("PLAIN\u001eSCRAM-SHA-1\u001eSCRAM-SHA-256\u001eSCRAM-SHA-512"));
  }

  @Test
  void theChallengeSaysWhichVersionOfTlsTheServerSpeaks() {
    MemoryTransport transport = new MemoryTransport();
    transport.secure = true;
    transport.tlsVersion = "0304";
    assertThat(
            new SaslOffer(
                    transport, false, Set.of("SHA-1"), Set.of(Ability.PASSWORD, Ability.SCRAM_KEYS))
                .mechanisms())
        .extracting(SaslMechanism::hash)
        .containsOnly("SHA-1", "");
    assertThat(new SaslOffer(transport).downgradeProtection("SHA-256"))
        .isEqualTo(",h=" + offer(false).downgradeHash("SHA-256") + ",t=0304");
    assertThat(offer(false).downgradeProtection("SHA-256"))
        .isEqualTo(",h=" + offer(false).downgradeHash("SHA-256"));
  }

  private static String sha256(String text) {
    try {
      return Base64.getEncoder()
          .encodeToString(java.security.MessageDigest.getInstance("SHA-256").digest(bytes(text)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ScramServer afterChallenge() throws SaslFailure {
    ScramServer server = new ScramServer(SaslMechanism.SCRAM_SHA_256, offer(false), "x");
    server.clientFirst(bytes("n,,n=romeo,r=abc"));
    server.serverFirst(StreamFixture.keys("SHA-256"), "");
    return server;
  }

  private interface Step {
    Object run() throws SaslFailure;
  }

  private static void refused(SaslCondition condition, Step step) {
    assertThatThrownBy(step::run)
        .isInstanceOfSatisfying(
            SaslFailure.class, failure -> assertThat(failure.condition()).isEqualTo(condition));
  }
}
