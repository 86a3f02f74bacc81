package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The sections `[accounts.sql.NAME]` and `[accounts.certificate.NAME]`.
class AccountTableSettingsTest {
  private static final String TABLE =
      """
      [accounts.sql.forum]
      database = "postgresql://127.0.0.1/forum"
      user = "chat"
      query = "select hash as password from member where name = :local"
      """;

  @TempDir private Path folder;

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  private void good(String text) throws Exception {
    assertThat(new WrittenFile(folder).read(text).config()).isNotNull();
  }

  /// The section with another line in the place of that of the same key.
  private void wrong(String section, String line, String text) {
    String key = line.substring(0, line.indexOf(' ') + 1);
    String rest =
        section.lines().filter(each -> !each.startsWith(key)).reduce("", (a, b) -> a + b + "\n");
    assertThat(problems(rest + line + "\n")).as(line).singleElement().asString().contains(text);
  }

  @Test
  void aTableNeedsAQueryForOneAccount() throws Exception {
    good(TABLE);
    good(TABLE.replace("postgresql://127.0.0.1/forum", "sqlite:/var/lib/forum.db"));
    wrong(TABLE, "query = \"\"", "must be set");
    wrong(TABLE, "query = \"select 1 where x = :user\"", "has the parameter :user");
    wrong(TABLE, "query = \"select 'x' as password\"", "does not ask for :local");
    wrong(TABLE, "query = \"select :local; drop table x\"", "more than one statement");
    wrong(TABLE, "groups = \"select :local\"", "has the parameter :local");
    wrong(TABLE, "database = \"sqlite:forum.db\"", "the whole path");
    wrong(TABLE, "authorities = \"missing.pem\"", "cannot be read");
    assertThat(problems(TABLE.replace("user = \"chat\"", "")))
        .singleElement()
        .asString()
        .contains("user must be set");
  }

  @Test
  void certificatesNeedAnAuthority() throws Exception {
    Path authority = folder.resolve("authorities.pem");
    try (InputStream in = getClass().getResourceAsStream("authorities.pem")) {
      Files.copy(Objects.requireNonNull(in), authority);
    }
    String section = "[accounts.certificate.cards]\nauthorities = \"" + authority + "\"\n";
    good(section);
    wrong(section, "names = [\"cn\"]", "\"cn\"");
    wrong(section, "names = []", "no certificate would have an address");
    wrong(section, "authorities = \"missing.pem\"", "missing.pem");
    Path text = Files.writeString(folder.resolve("text.pem"), "text");
    wrong(section, "authorities = \"" + text + "\"", "no PEM file");
    assertThat(problems(section + "revoked = \"" + text + "\"\n"))
        .singleElement()
        .asString()
        .contains("CRL");
    assertThat(problems("[accounts.certificate.cards]\n"))
        .singleElement()
        .asString()
        .contains("authorities must be set");
  }
}
