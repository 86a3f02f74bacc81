package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.settings.check.CertificateChecks;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of certificates that a configuration names.
class CertificateSettingsTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
  private static final String HOST = "hosts = [\"a.example\"]\n";

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit sets the folder
  CertificateSettingsTest() {}

  private PemFiles issue(String name, Instant begins, String... domains) throws Exception {
    Path own = Files.createDirectories(folder.resolve(name));
    return SelfSigned.ensure(
        own, List.of(domains), InstantSource.fixed(begins), new SecureRandom());
  }

  private static String tls(String section, Path certificate, Path key) {
    return "[" + section + "]\ncertificate = \"" + certificate + "\"\nkey = \"" + key + "\"\n";
  }

  private static String tls(PemFiles files) {
    return tls("tls", files.certificate(), files.key());
  }

  private List<CertificateChecks.Finding> findings(String text) throws Exception {
    return new CertificateChecks(new WrittenFile(folder).read(text).config(), NOW).run();
  }

  private void refused(String text, String reason) throws Exception {
    assertThat(findings(text))
        .contains(new CertificateChecks.Finding("tls.certificate", reason, true));
  }

  @Test
  void aCertificateForTheHostAndItsServicesIsFine() throws Exception {
    PemFiles good = issue("good", NOW, "a.example", "*.a.example");
    assertThat(findings(HOST + tls(good))).isEmpty();
    assertThat(findings(HOST)).isEmpty();
  }

  @Test
  void whatAReloadWouldRejectIsAnError() throws Exception {
    PemFiles good = issue("good", NOW, "a.example");
    PemFiles other = issue("other", NOW, "a.example");
    refused(
        HOST + tls("tls", good.certificate(), other.key()),
        "tls.certificate: the key in "
            + other.key()
            + " is not that of the certificate in "
            + good.certificate());
    Path encrypted =
        Files.writeString(
            folder.resolve("encrypted.key"),
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMA==\n-----END ENCRYPTED PRIVATE KEY-----\n");
    refused(
        HOST + tls("tls", good.certificate(), encrypted),
        "tls.certificate: "
            + encrypted
            + " holds an encrypted key; the server cannot ask for its password");
    PemFiles old = issue("old", Instant.parse("2020-01-01T00:00:00Z"), "a.example");
    refused(
        HOST + tls(old),
        "tls.certificate: the certificate in "
            + old.certificate()
            + " expired on 2022-04-05T00:00:00Z");
    refused(
        HOST + tls("tls", folder, good.key()),
        "tls.certificate: " + folder + " is a folder, not a file");
  }

  @Test
  void whatOthersDistrustIsAWarning() throws Exception {
    PemFiles early =
        issue("early", Instant.parse("2030-01-01T00:00:00Z"), "a.example", "*.a.example");
    assertThat(findings(HOST + tls(early)))
        .singleElement()
        .satisfies(each -> assertThat(each.refused()).isFalse())
        .extracting(CertificateChecks.Finding::text)
        .asString()
        .matches("tls.certificate: the certificate in .* is not valid before 20(29|30)-.*");
    PemFiles other = issue("other", NOW, "b.example", "*.b.example");
    assertThat(findings(HOST + tls(other)))
        .containsExactly(
            new CertificateChecks.Finding(
                "tls.certificate",
                "tls.certificate: no certificate names a.example, rooms.a.example,"
                    + " pubsub.a.example, upload.a.example; this one names b.example, *.b.example",
                false));
  }

  @Test
  void eachHostMayHaveItsOwn() throws Exception {
    PemFiles first = issue("first", NOW, "a.example", "*.a.example");
    PemFiles second = issue("second", NOW, "c.example", "*.b.example");
    String hosts = "hosts = [\"a.example\", \"b.example\"]\n";
    String own = tls("host.\"b.example\".tls", second.certificate(), second.key());
    assertThat(findings(hosts + tls(first) + own))
        .containsExactly(
            new CertificateChecks.Finding(
                "host.b.example.tls.certificate",
                "host.b.example.tls.certificate: no certificate names b.example; this one names"
                    + " c.example, *.b.example",
                false));
  }
}
