package im.zonda.app.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.auth.provider.ProviderChains;
import im.zonda.config.accounts.Accounts;
import im.zonda.config.accounts.CertificateAccounts;
import im.zonda.jid.Jid;
import im.zonda.provider.certificate.CertificateProvider;
import im.zonda.storage.cache.CachedStores;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.issuer.CertificateIssuer;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Logins by certificates to a whole server.
@Timeout(120)
class CertificateServerTest {
  private static final String HEADER =
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client'"
          + " xmlns:stream='http://etherx.jabber.org/streams' to='example.org' version='1.0'>";
  private static final String OFFER = "<mechanism>EXTERNAL</mechanism>";
  private static final char[] NO_PASSWORD = {};

  @TempDir Path folder;
  private final CertificateIssuer issuer = CertificateIssuer.root("authority");
  private Path revoked;
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    Path authorities = CertificateIssuer.write(folder.resolve("authorities.pem"), issuer);
    revoked = Files.writeString(folder.resolve("revoked.pem"), revoking());
    CertificateAccounts cards = new CertificateAccounts(authorities, revoked, List.of("xmpp-addr"));
    ProviderChains.Source cardsAlone = CertificateServerTest::open;
    server =
        ServerPlan.of(List::of)
            .with("accounts.chain", List.of("cards", Accounts.INTERNAL))
            .with("accounts.certificate", Map.of("cards", cards))
            .withProviders(cardsAlone)
            .startOnSockets();
    server.accounts(List.of("romeo@example.org"));
  }

  private static CertificateProvider open(String name, Accounts settings) {
    try {
      CertificateAccounts section = Objects.requireNonNull(settings.certificate().get(name));
      return CertificateProvider.of(section, () -> CertificateIssuer.NOW);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String revoking(X509Certificate... certificates) {
    return issuer.revoking(CertificateIssuer.NOW.plus(Duration.ofDays(1)), certificates);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// A client on a TLS connection.
  private final class Client implements AutoCloseable {
    private final SSLSocket socket;
    private final StringBuilder unread = new StringBuilder();

    Client(KeyPair keys, X509Certificate... chain) throws IOException, GeneralSecurityException {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setKeyEntry("own", keys.getPrivate(), NO_PASSWORD, chain.clone());
      KeyManagerFactory own =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      own.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own.getKeyManagers(), new TrustManager[] {new AnyServer()}, null);
      var address = server.address(Login.Security.DIRECT_TLS);
      socket =
          (SSLSocket)
              context.getSocketFactory().createSocket(address.getAddress(), address.getPort());
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName("example.org")));
      socket.setSSLParameters(parameters);
    }

    String send(String text, String until) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[8_192];
      while (unread.indexOf(until) < 0) {
        int count = in.read(buffer);
        if (count < 0) {
          throw new IOException("closed after " + unread);
        }
        unread.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
      }
      int end = unread.indexOf(until) + until.length();
      String read = unread.substring(0, end);
      unread.delete(0, end);
      return read;
    }

    String features() throws IOException {
      return send(HEADER, "</stream:features>");
    }

    String logIn() throws IOException {
      assertThat(features()).contains(OFFER);
      send(
          "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>=</auth>",
          "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>");
      features();
      return send(
          "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
              + "<resource>r</resource></bind></iq>",
          "</iq>");
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static final class AnyServer implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @Test
  void theFirstLoginMakesTheAccount() throws Exception {
    Jid juliet = Jid.of("juliet@example.org");
    CachedStores stores = server.stores();
    assertThat(stores.accounts().find(juliet)).isNull();
    KeyPair keys = CertificateIssuer.newKeys();
    X509Certificate own = issuer.issue(keys, wanted -> wanted.xmpp("juliet@example.org"));
    for (int i = 0; i < 2; i++) {
      try (Client client = new Client(keys, own)) {
        assertThat(client.logIn()).contains("<jid>juliet@example.org/r</jid>");
      }
    }
    assertThat(server.stores().accounts().find(juliet)).isNotNull();
  }

  @Test
  void othersLogInByOtherMeans() throws Exception {
    KeyPair keys = CertificateIssuer.newKeys();
    X509Certificate forged =
        CertificateIssuer.root("authority")
            .issue(keys, wanted -> wanted.xmpp("juliet@example.org"));
    try (Client client = new Client(keys, forged)) {
      assertThat(client.features()).contains("<mechanism>PLAIN<").doesNotContain(OFFER);
      client.send(
          "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='EXTERNAL'>=</auth>",
          "<invalid-mechanism");
    }
    assertThat(server.stores().accounts().find(Jid.of("juliet@example.org"))).isNull();
    Login romeo =
        Login.of("romeo@example.org", TestServer.PASSWORD).withSecurity(Login.Security.DIRECT_TLS);
    server.login(romeo).close();
  }

  @Test
  void whoseCertificateIsRevokedLogsInNoMore() throws Exception {
    KeyPair keys = CertificateIssuer.newKeys();
    X509Certificate own = issuer.issue(keys, wanted -> wanted.xmpp("juliet@example.org"));
    try (Client client = new Client(keys, own)) {
      client.logIn();
    }
    FileTime before = Files.getLastModifiedTime(revoked);
    Files.writeString(revoked, revoking(own));
    Files.setLastModifiedTime(revoked, FileTime.from(before.toInstant().plusSeconds(1)));
    try (Client client = new Client(keys, own)) {
      assertThat(client.features()).doesNotContain(OFFER);
    }
  }
}
