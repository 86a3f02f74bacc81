package im.zonda.net.tls;

import im.zonda.config.Http;
import im.zonda.config.limits.HttpLimits;
import im.zonda.config.limits.Limits;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpRoute;
import im.zonda.net.NetServer;
import im.zonda.net.http.HttpServer;
import im.zonda.net.http.TrustAll;
import im.zonda.runtime.TestRuntime;
import im.zonda.stream.client.StreamFixture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// A server by HTTPS, and what its certificates look like to strangers.
public final class ChallengeServer implements AutoCloseable {
  private final Certificates certificates;
  private final NetServer net;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final InetSocketAddress address;

  public ChallengeServer(Path folder) throws IOException {
    PemFiles own =
        SelfSigned.ensure(
            folder, List.of("example.org"), InstantSource.system(), new SecureRandom());
    certificates = new Certificates(new CertificateFiles(List.of(own)), InstantSource.system());
    HttpHosts hosts =
        new HttpHosts() {
          @Override
          public List<String> domains() {
            return List.of("example.org");
          }

          @Override
          public List<HttpRoute> routes(String domain) {
            return List.of();
          }

          @Override
          public List<String> origins(String domain) {
            return List.of();
          }
        };
    HttpServer http =
        new HttpServer(
            new Http(List.of(), List.of("127.0.0.1:0"), null, List.of()),
            HttpLimits.DEFAULTS,
            hosts,
            new TestRuntime().clock(InstantSource.system()).workers(workers).build());
    net =
        new NetServer(
            new NetServer.Settings(http.listeners(), 1, NetServer.Io.AUTO),
            certificates,
            new StreamFixture().context(Limits.defaults(), false, workers),
            workers);
    address = net.start().getFirst().address();
  }

  /// What is presented to certificate authorities.
  public ChallengeCertificates challenges() {
    return certificates.challenges();
  }

  /// What is presented to everyone.
  Certificates certificates() {
    return certificates;
  }

  /// The digest in the certificate for a domain, as an authority finds it; empty if there is none.
  public byte[] challengeOf(String domain) throws GeneralSecurityException, IOException {
    try (SSLSocket socket = connect(domain, "acme-tls/1")) {
      X509Certificate leaf = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      byte[] extension = leaf.getExtensionValue("1.3.6.1.5.5.7.1.31");
      boolean right =
          "acme-tls/1".equals(socket.getApplicationProtocol())
              && leaf.getSubjectAlternativeNames().size() == 1
              && leaf.getSubjectAlternativeNames().iterator().next().get(1).equals(domain)
              && leaf.getCriticalExtensionOIDs().contains("1.3.6.1.5.5.7.1.31");
      return right ? Arrays.copyOfRange(extension, 4, extension.length) : new byte[0];
    } catch (SSLException e) {
      return new byte[0];
    }
  }

  /// The protocol that is chosen by ALPN.
  public String protocolFor(String domain, String offered)
      throws GeneralSecurityException, IOException {
    try (SSLSocket socket = connect(domain, offered)) {
      return socket.getApplicationProtocol();
    }
  }

  /// The certificate for a client that asks for a domain.
  X509Certificate certificateFor(String domain) throws GeneralSecurityException, IOException {
    try (SSLSocket socket = connect(domain, "h2", "http/1.1")) {
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  /// The certificate that a client is shown who can verify only such signatures, the first of them
  /// best.
  X509Certificate certificateFor(String domain, String protocol, String... signatures)
      throws GeneralSecurityException, IOException {
    try (SSLSocket socket = open(domain, "h2")) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      parameters.setSignatureSchemes(signatures);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private SSLSocket connect(String domain, String... protocols)
      throws GeneralSecurityException, IOException {
    SSLSocket socket = open(domain, protocols);
    socket.startHandshake();
    return socket;
  }

  private SSLSocket open(String domain, String... protocols)
      throws GeneralSecurityException, IOException {
    SSLContext context = TrustAll.context();
    SSLSocket socket =
        (SSLSocket)
            context.getSocketFactory().createSocket(address.getAddress(), address.getPort());
    socket.setSoTimeout(20_000);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new SNIHostName(domain)));
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    return socket;
  }

  @Override
  public void close() {
    net.stop(Duration.ofSeconds(1));
    workers.close();
  }
}
