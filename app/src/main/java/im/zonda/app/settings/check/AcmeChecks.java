package im.zonda.app.settings.check;

import im.zonda.config.Acme;
import im.zonda.config.ServerConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/// Checks of `[acme]`.
///
/// @param config the configuration
/// @param report takes the key and what is wrong with it
public record AcmeChecks(ServerConfig config, BiConsumer<String, String> report) {
  /// Reports keys that contradict each other.
  public void run() {
    Acme acme = config.acme();
    String directory = acme.directory();
    if (directory == null) {
      return;
    }
    if (!isHttps(directory)) {
      report.accept("acme.directory", "acme.directory is no URL that begins with https://");
    }
    if (!acme.termsAgreed()) {
      report.accept(
          "acme.terms-agreed",
          "acme.terms-agreed must be true: the authority issues certificates only to those who"
              + " agree to its terms of service");
    }
    String email = acme.email();
    if (email != null && !email.matches("[!-~&&[^\"\\\\@]]+@[!-~&&[^\"\\\\@]]+")) {
      report.accept("acme.email", "acme.email is no e-mail address");
    }
    challenge(acme);
    Path ca = acme.ca();
    if (ca != null && !Files.isReadable(ca)) {
      report.accept("acme.ca", "acme.ca: " + ca + " cannot be read");
    }
    if (config.cluster().name() != null && acme.folder() == null) {
      report.accept("acme.folder", "acme.folder must be set: the nodes of a cluster share it");
    }
  }

  private void challenge(Acme acme) {
    boolean byHttp = acme.challenge() == Acme.Challenge.HTTP_01;
    boolean tls = !config.http().listenTls().isEmpty() || !config.c2s().listenTls().isEmpty();
    if (byHttp && config.http().listen().isEmpty()) {
      report.accept("acme.challenge", "acme.challenge http-01 needs http.listen");
    } else if (!byHttp && !tls) {
      report.accept("acme.challenge", "acme.challenge tls-alpn-01 needs http.listen-tls");
    }
  }

  private static boolean isHttps(String text) {
    try {
      URI uri = new URI(text);
      return "https".equals(uri.getScheme()) && uri.getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
