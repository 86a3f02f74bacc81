package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A certificate for `localhost` that is its own authority.
record TestTls(SSLContext context, X509Certificate authority) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  static TestTls create(Path folder) throws Exception {
    Path file = folder.resolve("localhost.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "localhost",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String text = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor()).as(text).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return new TestTls(context, (X509Certificate) store.getCertificate("localhost"));
  }
}
