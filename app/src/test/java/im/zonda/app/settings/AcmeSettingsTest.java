package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Acme;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The section `[acme]`.
class AcmeSettingsTest {
  private static final String GOOD =
      """
      [acme]
      directory = "https://ca.example/directory"
      terms-agreed = true
      """;

  @TempDir private Path folder;

  private Settings read(String text) throws Exception {
    return new WrittenFile(folder).read(text);
  }

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  @Test
  void itIsOffByDefault() throws Exception {
    assertThat(read("").config().acme()).isEqualTo(Acme.DEFAULTS);
    assertThat(Acme.DEFAULTS.isOn()).isFalse();
  }

  @Test
  void keysAndCertificatesAreInTheDataFolder() throws Exception {
    Acme acme = read(GOOD).config().acme();
    assertThat(acme.isOn()).isTrue();
    assertThat(acme.folder(Path.of("data"))).isEqualTo(Path.of("data/acme"));
  }

  @Test
  void whatCannotWorkIsReported() throws Exception {
    assertThat(problems("[acme]\ndirectory = \"https://ca.example/directory\"\n").toString())
        .contains("acme.terms-agreed must be true");
    assertThat(problems(GOOD.replace("https", "http")).toString()).contains("https://");
    assertThat(problems(GOOD + "email = \"a\\\"b@example.org\"\n").toString())
        .contains("acme.email");
    assertThat(problems(GOOD + "ca = \"none.pem\"\n").toString()).contains("cannot be read");
    assertThat(problems(GOOD + "[http]\nlisten = []\n").toString()).contains("needs http.listen");
    assertThat(
            problems(
                    GOOD
                        + "challenge = \"tls-alpn-01\"\n[http]\nlisten-tls = []\n[c2s]\n"
                        + "listen-tls = []\n")
                .toString())
        .contains("needs http.listen-tls");
  }
}
