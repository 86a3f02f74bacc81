package im.zonda.app.attack;

import static im.zonda.testkit.client.ScriptedClient.SASL;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.Scram;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows 32 to 47 of the attack table: TLS, SASL and the way to a session.
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("small-heap")
class LoginAttackTest {
  private final LeakWatch leaks = LeakWatch.open();
  private Target target;

  @BeforeAll
  void start() throws IOException {
    target = new Target(Target.plan().withHosts("example.org", "example.net"));
    target.server().accounts(List.of("me@example.org", "victim@example.org", "me@example.net"));
  }

  @AfterAll
  void stop() {
    leaks.assertNone(target::serves);
    target.close();
    leaks.close();
  }

  @Test
  void row32_bytesBehindStarttls() {
    ScriptedClient client = target.silent().open("example.org");
    client.offer(
        Target.utf8(
            "<starttls xmlns='"
                + ScriptedClient.TLS
                + "'/><auth xmlns='"
                + SASL
                + "' mechanism='PLAIN'>AG1lAHNlY3JldA==</auth>"));
    client.awaitEnd();
    client.close();
    target.serves();
  }

  @Test
  void row33_saslWithoutTls() {
    ScriptedClient client = target.silent().open("example.org");
    assertThat(client.features().child(SASL, "mechanisms")).isNull();
    assertThat(client.features().child(ScriptedClient.TLS, "starttls")).isNotNull();
    client.send("<auth xmlns='" + SASL + "' mechanism='PLAIN'>AG1lAHNlY3JldA==</auth>");
    assertThat(client.receive().toString()).doesNotContain("success");
    client.close();
    target.serves();
  }

  /// The hello is made by hand, because Java's own client refuses to say such a thing.
  @ParameterizedTest
  @CsvSource({"3, 0, 0xC02F", "3, 1, 0xC02F", "3, 2, 0xC02F", "3, 3, 0xC013", "3, 3, 0x000A"})
  void row34_oldTlsAndOldCiphers(int major, int minor, String suite) throws IOException {
    try (Socket socket = new Socket()) {
      var address = target.server().address(Login.Security.DIRECT_TLS);
      socket.connect(address, 10_000);
      socket.setSoTimeout(15_000);
      socket.getOutputStream().write(clientHello(major, minor, Integer.decode(suite)));
      int contentType = socket.getInputStream().read();
      // An alert, or the end; a handshake record would be the server's hello.
      assertThat(contentType).isIn(0x15, -1);
    }
    target.serves();
  }

  private static byte[] clientHello(int major, int minor, int suite) {
    ByteBuffer extensions = ByteBuffer.allocate(64);
    extensions.putShort((short) 10).putShort((short) 4).putShort((short) 2).putShort((short) 23);
    extensions.putShort((short) 13).putShort((short) 6).putShort((short) 4);
    extensions.putShort((short) 0x0403).putShort((short) 0x0401);
    extensions.flip();
    int body = 2 + 32 + 1 + 4 + 2 + 2 + extensions.remaining();
    ByteBuffer hello = ByteBuffer.allocate(9 + body);
    hello.put((byte) 0x16).put((byte) 3).put((byte) 1).putShort((short) (body + 4));
    hello.putInt(0x01000000 | body);
    hello.put((byte) major).put((byte) minor).put(new byte[32]).put((byte) 0);
    hello.putShort((short) 2).putShort((short) suite).put((byte) 1).put((byte) 0);
    hello.putShort((short) extensions.remaining()).put(extensions);
    return hello.array();
  }

  /// The same hello is good with a version and a cipher suite of today: the one above is rejected
  /// for its version and cipher suites, not for its form.
  @Test
  void row34_theHelloItselfIsGood() throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(target.server().address(Login.Security.DIRECT_TLS), 10_000);
      socket.setSoTimeout(15_000);
      socket.getOutputStream().write(clientHello(3, 3, 0xC02B));
      assertThat(socket.getInputStream().read()).isEqualTo(0x16);
    }
    target.serves();
  }

  @Test
  void row35_offerTamperedWith() {
    ScriptedClient client = target.stranger();
    Scram scram = new Scram("SHA-256", "y,,", new byte[0], "me", "nonce");
    client.send(auth("SCRAM-SHA-256", scram.first()));
    XmlElement answer = client.receive();
    if (answer.localName().equals("challenge")) {
      client.send(response(scram.last(decoded(answer), TestServer.PASSWORD)));
      answer = client.receive();
    }
    assertThat(answer.localName()).isEqualTo("failure");
    client.close();
    target.serves();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls-exporter", "tls-server-end-point"})
  void row35_channelBindingWorks(String binding) {
    Login login =
        Login.of("me@example.org/x", TestServer.PASSWORD)
            .withMechanism("SCRAM-SHA-256-PLUS")
            .withBinding(binding);
    target.server().login(login).close();
    target.server().login(login.withSecurity(Login.Security.DIRECT_TLS)).close();
  }

  @Test
  void row36_tlsUnique() {
    assertThat(failure("SCRAM-SHA-256-PLUS", "p=tls-unique,,n=me,r=nonce"))
        .isIn("not-authorized", "malformed-request");
  }

  @Test
  void row37_authzidOfSomeoneElse() {
    assertThat(failure("PLAIN", "victim@example.org\0me\0secret")).isEqualTo("invalid-authzid");
    assertThat(failure("PLAIN", "victim\0me\0secret")).isEqualTo("invalid-authzid");
    ScriptedClient client = target.stranger();
    Scram scram = new Scram("SHA-256", "n,a=victim@example.org,", new byte[0], "me", "nonce");
    client.send(auth("SCRAM-SHA-256", scram.first()));
    XmlElement answer = client.receive();
    if (answer.localName().equals("challenge")) {
      client.send(response(scram.last(decoded(answer), TestServer.PASSWORD)));
      answer = client.receive();
    }
    assertThat(answer.children().getFirst().localName()).isEqualTo("invalid-authzid");
    client.close();
    target.serves();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ANONYMOUS", "EXTERNAL", "CRAM-MD5", "plain", "SCRAM-SHA-256-PLUS-PLUS"})
  void row38_mechanismNotOffered(String mechanism) {
    assertThat(failure(mechanism, "x")).isEqualTo("invalid-mechanism");
  }

  @Test
  void row39_unknownUsersLookLikeOthers() {
    String first = challenge("nobody");
    String second = challenge("nobody");
    String known = challenge("me");
    assertThat(salt(first)).isEqualTo(salt(second)).isNotEqualTo(salt(known));
    assertThat(first).contains(",i=");
    assertThat(failure("PLAIN", "\0nobody\0secret"))
        .isEqualTo(failure("PLAIN", "\0me\0wrong"))
        .isEqualTo("not-authorized");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n,,n=me,r=",
        "n,,m=ext,n=me,r=nonce",
        "n,,n==2X,r=nonce",
        "n,,r=nonce",
        "n,,",
        "x",
        "n,,n=me,r=no\u0001nce",
        "p=tls-exporter,,n=me,r=nonce"
      })
  void row40_malformedScram(String first) {
    assertThat(failure("SCRAM-SHA-256", first)).isEqualTo("malformed-request");
  }

  @Test
  void row40_wrongNonceOrProof() {
    for (String change : new String[] {"nonce", "proof", "empty"}) {
      ScriptedClient client = target.stranger();
      Scram scram = new Scram("SHA-256", "n,,", new byte[0], "me", "nonce");
      client.send(auth("SCRAM-SHA-256", scram.first()));
      String last = scram.last(decoded(client.receive()), TestServer.PASSWORD);
      String changed =
          switch (change) {
            case "nonce" -> last.replace("r=nonce", "r=mnonce");
            case "proof" -> last.replaceAll("p=.*", "p=" + "A".repeat(43) + "=");
            default -> last.replaceAll("p=.*", "p=");
          };
      client.send(response(changed));
      assertThat(client.receive().localName()).as(change).isEqualTo("failure");
      client.close();
    }
    target.serves();
  }

  @Test
  void row41_repeatedFailuresEndTheStream() {
    ScriptedClient client = target.stranger();
    int limit = target.server().config().limits().saslFailures();
    for (int i = 0; i < limit; i++) {
      client.send(auth("PLAIN", "\0me\0wrong"));
      assertThat(client.receive().localName()).isEqualTo("failure");
    }
    client.awaitEnd();
    client.close();
    target.serves();
  }

  /// Forty connections guess at once: a handful of the guesses are checked, and an answer to the
  /// others says nothing about the password.
  @Test
  void row41_aGuesserWithManyConnectionsIsNotAnswered() throws IOException {
    // The others are answered when the time for negotiation is over.
    Duration time = Duration.ofSeconds(10);
    try (Target guessed = new Target(Target.plan().with("limits.negotiationTime", time))) {
      guessed.server().accounts(List.of("victim@example.org"));
      List<ScriptedClient> guessers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        guessers.add(guessed.stranger());
      }
      for (ScriptedClient guesser : guessers) {
        guesser.send(auth("PLAIN", "\0victim\0wrong"));
      }
      int checked = 0;
      for (ScriptedClient guesser : guessers) {
        XmlElement answer = guesser.receive();
        assertThat(answer.localName()).isEqualTo("failure");
        if (answer.children().getFirst().localName().equals("not-authorized")) {
          checked++;
        }
        guesser.close();
      }
      assertThat(checked).isLessThan(20);
      guessed.serves();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"@@@@", "AG1lAHNlY3JldA", "AG1l AHNlY3JldA==", "A", "AG1lAHNlY3JldA==="})
  void row42_badBase64(String base64) {
    ScriptedClient client = target.stranger();
    client.send("<auth xmlns='" + SASL + "' mechanism='PLAIN'>" + base64 + "</auth>");
    assertThat(client.receive().children().getFirst().localName()).isEqualTo("incorrect-encoding");
    client.close();
    target.serves();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message to='me@example.org'><body>x</body></message>",
        "<presence/>",
        "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
        "<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>",
        "<r xmlns='urn:xmpp:sm:3'/>"
      })
  void row43_beforeAuthentication(String xml) {
    ScriptedClient client = target.stranger();
    client.send(xml);
    target.ends(client, "not-authorized", "unsupported-stanza-type");
    target.serves();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<resume xmlns='urn:xmpp:sm:3' h='0' previd='x'/>",
        "<enable xmlns='urn:xmpp:sm:3' resume='true'/>"
      })
  void row43_streamManagementBeforeAuthentication(String xml) {
    ScriptedClient client = target.stranger();
    client.send(xml);
    XmlElement answer = client.receive();
    assertThat(answer.is("urn:xmpp:sm:3", "failed")).isTrue();
    assertThat(answer.children().getFirst().localName()).isEqualTo("unexpected-request");
    client.close();
    target.serves();
  }

  @Test
  void row43_beforeBinding() {
    ScriptedClient client =
        target
            .server()
            .connected(Login.Security.DIRECT_TLS, "example.org")
            .negotiate(
                Login.of("me@example.org", TestServer.PASSWORD)
                    .withSecurity(Login.Security.DIRECT_TLS));
    client.send("<message to='victim@example.org'><body>x</body></message>");
    target.ends(client, "not-authorized");
    target.serves();
  }

  @Test
  void row44_otherHostAfterAuthentication() {
    ScriptedClient client = target.stranger();
    Login login = Login.of("me@example.org", TestServer.PASSWORD);
    assertThat(client.authenticate(login).localName()).isEqualTo("success");
    client.send(Target.HEADER.replace("example.org'", "example.net'")).listen();
    client.awaitHeader();
    assertThat(client.awaitStreamError())
        .isIn("not-authorized", "host-unknown", "invalid-from", "policy-violation");
    client.close();
    target.serves();
  }

  @Test
  void row47_passwordOfSomeoneElse() {
    try (ScriptedClient client = target.named("changer@example.org/r")) {
      client.send(
          "<iq type='set' id='p' to='example.org'><query xmlns='jabber:iq:register'>"
              + "<username>victim</username><password>mine</password></query></iq>");
      assertThat(client.receive().attribute("type")).isEqualTo("error");
    }
    target.server().login(Login.of("victim@example.org/still", TestServer.PASSWORD)).close();
  }

  private String failure(String mechanism, String data) {
    ScriptedClient client = target.stranger();
    client.send(auth(mechanism, data));
    XmlElement answer = client.receive();
    client.close();
    assertThat(answer.localName()).as(answer.toString()).isEqualTo("failure");
    return answer.children().getFirst().localName();
  }

  private String challenge(String user) {
    ScriptedClient client = target.stranger();
    client.send(auth("SCRAM-SHA-256", "n,,n=" + user + ",r=nonce"));
    String message = decoded(client.receive());
    client.close();
    return message;
  }

  private static String salt(String message) {
    return message.replaceAll(".*,s=([^,]*).*", "$1");
  }

  private static String auth(String mechanism, String data) {
    return "<auth xmlns='" + SASL + "' mechanism='" + mechanism + "'>" + encoded(data) + "</auth>";
  }

  private static String response(String data) {
    return "<response xmlns='" + SASL + "'>" + encoded(data) + "</response>";
  }

  private static String encoded(String data) {
    return Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(XmlElement element) {
    return new String(Base64.getDecoder().decode(element.text()), StandardCharsets.UTF_8);
  }
}
