package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.auth.provider.Admission;
import im.zonda.jid.Jid;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Certificates of clients over real sockets (XEP-0178): who is asked for one, and when it is a
/// proof.
final class CertificateTlsTest {
  private static final String EXTERNAL =
      "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>=</auth>";
  private static final String OFFER = "<mechanism>EXTERNAL</mechanism>";

  @TempDir private Path folder = Path.of("");
  private RunningServer server;
  private X509Certificate certificate;
  private PrivateKey key;
  private KeyManager[] own;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.start(folder);
    PemFiles files =
        SelfSigned.ensure(
            folder.resolve("client"),
            List.of("client"),
            InstantSource.system(),
            new SecureRandom());
    certificate = read(files);
    key = key(files);
    own = new KeyManager[] {new ClientKeys(key, certificate)};
    server.fixture.certificates = this::check;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Admission check(@Nullable String local, List<X509Certificate> chain) {
    boolean right =
        chain.getFirst().equals(certificate) && (local == null || local.equals("romeo"));
    return right
        ? new Admission.Admitted(Jid.of("romeo@example.org"), false)
        : new Admission.Refused("another certificate");
  }

  private static X509Certificate read(PemFiles files) throws Exception {
    try (var in = Files.newInputStream(files.certificate())) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static PrivateKey key(PemFiles files) throws Exception {
    String pem = Files.readString(files.key()).replaceAll("-----[^-]+-----", "");
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
  }

  private SocketClient direct(KeyManager @Nullable [] keys, String protocol, @Nullable String host)
      throws IOException {
    SocketClient client = new SocketClient(server.tls);
    client.startTls(SocketClient.trusting(keys), protocol, host, "xmpp-client");
    return client;
  }

  private static void logIn(SocketClient client) throws IOException {
    assertThat(client.send(SocketClient.HEADER).until("</stream:features>")).contains(OFFER);
    client.send(EXTERNAL).until("<success");
    client.until(">");
    assertThat(client.send(SocketClient.HEADER).until("</stream:features>")).contains("<bind");
    client.send("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>");
    assertThat(client.until("</iq>")).contains("romeo@example.org/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void aClientLogsInByItsCertificate(String protocol) throws Exception {
    try (SocketClient client = direct(own, protocol, "example.org")) {
      logIn(client);
    }
    try (SocketClient client = new SocketClient(server.plain)) {
      client.send(SocketClient.HEADER).until("</stream:features>");
      client.send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>").until("<proceed");
      client.until(">");
      client.startTls(SocketClient.trusting(own), protocol, null);
      logIn(client);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void aClientWithoutACertificateIsNotDisturbed(String protocol) throws Exception {
    try (SocketClient client = direct(null, protocol, "example.org")) {
      assertThat(client.send(SocketClient.HEADER).until("</stream:features>"))
          .doesNotContain(OFFER);
      client.send(EXTERNAL).until("<invalid-mechanism");
    }
    try (SocketClient client = direct(null, protocol, "example.org")) {
      client.login("a");
    }
    try (SocketClient client = new SocketClient(server.plain)) {
      client.send(SocketClient.HEADER).until("</stream:features>");
      client.send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>").until("<proceed");
      client.until(">");
      client.startTls(protocol);
      client.login("a");
    }
  }

  /// Only clients of hosts that take certificates are asked.
  @ParameterizedTest
  @CsvSource({"other.example", "unknown.example", "''"})
  void clientsOfOtherHostsAreNotAsked(String host) throws Exception {
    ClientKeys asked = new ClientKeys();
    try (SocketClient client =
        direct(new KeyManager[] {asked}, "TLSv1.3", host.isEmpty() ? null : host)) {
      client.send(SocketClient.HEADER).until("</stream:features>");
      assertThat(asked.isAsked).isFalse();
    }
    try (SocketClient client = direct(new KeyManager[] {asked}, "TLSv1.3", "Example.Org")) {
      client.send(SocketClient.HEADER).until("</stream:features>");
      assertThat(asked.isAsked).isTrue();
    }
  }

  @Test
  void nobodyIsAskedWhereNoHostTakesCertificates() throws Exception {
    server.fixture.certificates = null;
    ClientKeys asked = new ClientKeys();
    try (SocketClient client = direct(new KeyManager[] {asked}, "TLSv1.3", "example.org")) {
      client.login("a");
    }
    try (SocketClient client = new SocketClient(server.plain)) {
      client.send(SocketClient.HEADER).until("</stream:features>");
      client.send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>").until("<proceed");
      client.until(">");
      client.startTls(SocketClient.trusting(new KeyManager[] {asked}), "TLSv1.3", "example.org");
    }
    assertThat(asked.isAsked).isFalse();
  }

  /// A session of TLS that is resumed would say what an earlier handshake has proved.
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void everyConnectionProvesItsCertificate(String protocol) throws Exception {
    SSLContext context = SocketClient.trusting(own);
    for (int i = 0; i < 3; i++) {
      try (SocketClient client = new SocketClient(server.tls)) {
        client.startTls(context, protocol, "example.org", "xmpp-client");
        logIn(client);
      }
    }
  }

  @Test
  void aChainThatIsTooLongEndsTheHandshake() throws Exception {
    X509Certificate[] chain = new X509Certificate[40];
    Arrays.fill(chain, certificate);
    KeyManager[] many = {new ClientKeys(key, chain)};
    assertThatThrownBy(
            () -> {
              try (SocketClient client = direct(many, "TLSv1.3", "example.org")) {
                client.send(SocketClient.HEADER).until("</stream:features>");
              }
            })
        .isInstanceOf(IOException.class);
    try (SocketClient client = direct(own, "TLSv1.3", "example.org")) {
      logIn(client);
    }
  }

  @Test
  void aHandshakeInPiecesIsRead() throws Exception {
    SSLEngine engine = SocketClient.trusting(own).createSSLEngine();
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(65_536);
    engine.wrap(ByteBuffer.allocate(0), hello);
    try (SocketClient client = new SocketClient(server.tls)) {
      for (int i = 0; i < hello.position(); i++) {
        client.socket().getOutputStream().write(hello.array(), i, 1);
      }
      assertThat(client.socket().getInputStream().read()).as("a handshake record").isEqualTo(22);
    }
  }

  @Test
  void whatIsNoTlsIsCut() throws Exception {
    try (SocketClient client = new SocketClient(server.tls)) {
      client.send(SocketClient.HEADER);
      assertThat(client.untilClosedInAnyWay()).doesNotContain("stream");
    }
  }
}
