package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The sections `[accounts.jwt.NAME]` and `[admin.sso]`.
class TokenSettingsTest {
  private static final String JWT =
      "[accounts.jwt.id]\nissuer = \"https://id.example\"\naudiences = [\"chat\"]\n";
  private static final String SSO =
      "[admin.sso]\nissuer = \"https://id.example\"\nclient-id = \"console\"\n";
  private static final String ROLE = "[admin.sso.role.\"chat admins\"]\nrole = \"operator\"\n";

  @TempDir private Path folder;

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  @Test
  void theLeastThatIsNeeded() throws Exception {
    assertThat(new WrittenFile(folder).read(JWT + SSO + ROLE).config().admin().sso().role())
        .containsOnlyKeys("chat admins");
    assertThat(problems("[accounts.jwt.id]\nalgorithms = []\nclaim = \"\"\n"))
        .hasSize(4)
        .anyMatch(each -> each.contains("accounts.jwt.id.issuer: must be set"))
        .anyMatch(each -> each.contains("accounts.jwt.id.audiences: must name at least one"))
        .anyMatch(each -> each.contains("accounts.jwt.id.algorithms: must name at least one"))
        .anyMatch(each -> each.contains("accounts.jwt.id.claim: must be set"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          algorithms = ["none"]                                | there is no algorithm none
          algorithms = ["hs256"]                               | there is no algorithm hs256
          algorithms = ["HS256"]                               | HS256 needs a secret
          algorithms = ["HS256"]\\nsecret = "open sesame"      | at least 32 bytes
          keys = "missing.json"                                | missing.json cannot be read
          keys = "half.json"                                   | neither a JWK set nor public keys
          keys-url = "http://id.example/keys"                  | neither https:// nor http://
          authorities = "missing.pem"                          | missing.pem cannot be read
          """)
  void valuesOfIssuersThatCannotBeUsed(String line, String problem) throws Exception {
    Files.writeString(folder.resolve("half.json"), "{\"keys\":");
    assertThat(problems(JWT + line.replace("\\n", "\n")))
        .singleElement()
        .asString()
        .contains("accounts.jwt.id.", problem)
        .doesNotContain("sesame");
  }

  @Test
  void anIssuerThatCannotBeAskedNeedsKeys() {
    assertThat(problems("[accounts.jwt.id]\nissuer = \"game\"\naudiences = [\"chat\"]\n"))
        .singleElement()
        .asString()
        .contains("game is not https://", "set keys or keys-url");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          algorithms = ["HS256"]        | the issuer's keys are public
          algorithms = ["EdDSA", "x"]   | there is no algorithm x
          scopes = ["profile"]          | must name openid
          authorities = "missing.pem"   | missing.pem cannot be read
          """)
  void valuesOfSingleSignOnThatCannotBeUsed(String line, String problem) {
    assertThat(problems(SSO + line + "\n" + ROLE))
        .singleElement()
        .asString()
        .contains("admin.sso.", problem);
  }

  @Test
  void rolesAreNeededAndHaveHosts() {
    assertThat(problems(SSO)).singleElement().asString().contains("so nobody could sign in");
    assertThat(problems(SSO + "[admin.sso.role.a]\nrole = \"host-admin\"\n"))
        .singleElement()
        .asString()
        .contains("admin.sso.role.a.hosts: must name the hosts");
    assertThat(problems(SSO + "[admin.sso.role.a]\nhosts = [\"elsewhere.example\"]\n"))
        .singleElement()
        .asString()
        .contains("elsewhere.example is no host of this server");
    assertThat(problems(SSO.replace("https", "http") + ROLE))
        .singleElement()
        .asString()
        .contains("admin.sso.issuer: http://id.example is neither https://");
  }
}
