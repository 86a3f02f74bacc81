package im.zonda.app.settings.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Keys are set and removed in the text of a file; everything else stays as people wrote it.
class TomlTextTest {
  private static final String FILE =
      """
      # Our server.
      hosts = ["a.example"] # the first
      tls.certificate = "chain.pem"

      # Clients
      [c2s]
      listen = [
        "127.0.0.1:5222", # this machine ] "
      ]
      plaintext = 'never'
      # not "yet": listen-tls = []

      [host."a.example".rooms]
      admins = ["x@a.example"]
      """;

  private static String with(String text, String key, String value) {
    return TomlText.with(text, TomlText.path(key), value);
  }

  @Test
  void aValueIsReplacedWhereItIs() {
    assertThat(with(FILE, "c2s.listen", "[\"0.0.0.0:5222\"]"))
        .isEqualTo(
            FILE.replace("[\n  \"127.0.0.1:5222\", # this machine ] \"\n]", "[\"0.0.0.0:5222\"]"));
    assertThat(with(FILE, "hosts", "[\"b.example\"]"))
        .isEqualTo(FILE.replace("[\"a.example\"] #", "[\"b.example\"] #"));
    assertThat(with(FILE, "c2s.plaintext", "\"loopback\""))
        .isEqualTo(FILE.replace("'never'", "\"loopback\""));
  }

  @Test
  void aNewKeyIsWrittenWhereItsNeighboursAre() {
    assertThat(with(FILE, "c2s.listen-tls", "[]"))
        .isEqualTo(FILE.replace("'never'\n", "'never'\nlisten-tls = []\n"));
    assertThat(with(FILE, "tls.key", "\"key.pem\""))
        .isEqualTo(FILE.replace("\"chain.pem\"\n", "\"chain.pem\"\ntls.key = \"key.pem\"\n"));
    assertThat(with(FILE, "data", "\"x\""))
        .isEqualTo(FILE.replace("\"chain.pem\"\n", "\"chain.pem\"\ndata = \"x\"\n"));
    assertThat(with(FILE, "acme.email", "\"a@b.example\""))
        .isEqualTo(FILE + "\n[acme]\nemail = \"a@b.example\"\n");
    assertThat(with(FILE, "host.\"a.example\".rooms.prefix", "\"muc\""))
        .isEqualTo(FILE + "prefix = \"muc\"\n");
    assertThat(with("", "hosts", "[]")).isEqualTo("hosts = []\n");
    assertThat(with("data = 'x'", "hosts", "[]")).isEqualTo("data = 'x'\nhosts = []\n");
    assertThat(with("", "acme.email", "'x'")).isEqualTo("[acme]\nemail = 'x'\n");
  }

  @Test
  void aKeyIsRemovedWithItsLine() {
    assertThat(TomlText.with(FILE, List.of("c2s", "plaintext"), null))
        .isEqualTo(FILE.replace("plaintext = 'never'\n", ""));
    assertThat(TomlText.with(FILE, List.of("c2s", "none"), null)).isEqualTo(FILE);
  }

  @Test
  void whatCannotBeDoneSaysWhy() {
    assertThatThrownBy(() -> with("tls = { key = 'k' } # x", "tls.certificate", "'c'"))
        .hasMessage("tls is written in a way that only an editor can change: edit the file");
    assertThatThrownBy(() -> with(FILE, "hosts", "[\"a\"]\nmore = 1"))
        .hasMessageContaining("only an editor");
    assertThatThrownBy(() -> with(FILE, "hosts", "[\"a\"")).hasMessageStartingWith("hosts: ");
    assertThatThrownBy(() -> TomlText.path("a..b")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void secretsAreNotShown() {
    String text = "a = 1\n[b]\nsecret = '''x\ny''' # z\nt = { secret = 'x' }\n";
    assertThat(TomlText.without(text, path -> path.getLast().equals("secret")))
        .isEqualTo("a = 1\n[b]\nsecret = \"(not shown)\" # z\nt = \"(not shown)\"\n");
    assertThat(TomlText.without("secret = ", path -> true)).doesNotContain("secret");
  }

  @Test
  void aDifferenceHasTheLinesThatChange() {
    assertThat(TextDifference.of("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nx\nf\n"))
        .containsExactly("  …", "  c", "  d", "- e", "+ x", "  f");
    assertThat(TextDifference.of("", "a\n")).containsExactly("+ a");
    assertThat(TextDifference.of("a\n", "a\n")).isEmpty();
  }
}
