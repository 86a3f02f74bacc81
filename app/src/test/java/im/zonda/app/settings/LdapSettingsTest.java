package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.accounts.LdapAccounts;
import im.zonda.config.accounts.LdapAccounts.Kind;
import im.zonda.testkit.database.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The sections `[accounts.ldap.NAME]`.
class LdapSettingsTest {
  private static final String GOOD =
      """
      [accounts]
      chain = ["staff", "internal"]
      [accounts.ldap.staff]
      servers = ["ldaps://dc1.a.example", "ldap://[::1]:1389"]
      base = "ou=people,dc=a,dc=example"
      """;

  @TempDir private Path folder;

  private LdapAccounts read(String text) throws Exception {
    return Objects.requireNonNull(
        new WrittenFile(folder).read(text).config().accounts().ldap().get("staff"));
  }

  private void wrong(String line, String... texts) {
    String key = line.substring(0, line.indexOf(' '));
    String rest =
        GOOD.lines().filter(each -> !each.startsWith(key + " ")).reduce("", (a, b) -> a + b + "\n");
    List<String> problems = new WrittenFile(folder).problems(rest + line + "\n");
    assertThat(problems).as(line).hasSize(texts.length);
    for (int i = 0; i < texts.length; i++) {
      assertThat(problems.get(i)).as(line).contains(texts[i]);
    }
  }

  @Test
  void theDefaultsAreSafe() throws Exception {
    LdapAccounts staff = read(GOOD);
    assertThat(staff.startTls()).isTrue();
    assertThat(staff.kind()).isEqualTo(Kind.GENERIC);
    assertThat(staff.setPassword()).isFalse();
    Path authority = TestAuthority.create(folder).authority();
    String more =
        """
        bind-dn = "zonda@a.example"
        bind-password = "open sesame"
        kind = "active-directory"
        attribute = "userPrincipalName"
        filter = "(&(objectClass=person)(!(cn=x\\\\2a)))"
        set-password = true
        authorities = "%s"
        """
            .formatted(authority);
    assertThat(read(GOOD + more).authorities()).isEqualTo(authority);
    assertThat(read(GOOD + more).toString()).doesNotContain("sesame");
    assertThat(
            read(GOOD.replace(
                    "\"ldaps://dc1.a.example\", \"ldap://[::1]:1389\"", "\"srv://a.example\""))
                .servers())
        .containsExactly("srv://a.example");
  }

  @Test
  void whatCannotWorkIsFoundBeforeTheStart() throws Exception {
    wrong("servers = []", "accounts.ldap.staff.servers must be set");
    wrong("servers = [\"http://dc1.a.example\"]", "is not ldap://host");
    wrong("servers = [\"ldap://a.example/dc=a\"]", "is not ldap://host");
    wrong("servers = [\"srv://a.example:389\"]", "is not ldap://host");
    wrong("servers = [\"srv://a.example\", \"ldap://b.example\"]", "must be the only one");
    wrong("servers = [\"srv://a.example\"]\nstart-tls = false", "start-tls must be true");
    wrong("base = \"\"", "accounts.ldap.staff.base must be set");
    wrong("base = \"people\"", "base: people is not a DN");
    wrong("filter = \"(uid=*\"", "filter: (uid=* is not a filter");
    wrong("group-filter = \"cn=)\"", "is not a filter");
    wrong("group-base = \"groups\"", "is not a DN");
    wrong("required-group = \"chat\"", "is not a DN");
    wrong("attribute = \"uid)(x=\"", "is not the name of an attribute");
    wrong("bind-dn = \"cn=zonda\"", "must be set together");
    wrong("bind-password = \"x\"", "must be set together");
    wrong("bind-dn = \"zonda\"\nbind-password = \"x\"", "is not a DN");
    wrong("kind = \"active-directory\"", "Active Directory answers no search");
    wrong("set-password = true", "passwords are set by its rights");
    wrong("authorities = \"/nowhere.pem\"", "cannot be read");
    Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing\n");
    wrong("authorities = \"" + empty + "\"", "is not a PEM file");
  }

  @Test
  void aHostHasItsOwn() {
    assertThat(
            new WrittenFile(folder)
                .problems(
                    "hosts = [\"b.example\"]\n[host.\"b.example\".accounts.ldap.x]\nbase = \"dc=b\"\n"))
        .singleElement()
        .asString()
        .contains("host.b.example.accounts.ldap.x.servers must be set");
  }
}
