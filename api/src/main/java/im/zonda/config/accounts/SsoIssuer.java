package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The issuer by whose pages administrators sign in to the console.
public record SsoIssuer(
    @Setting(
            "the issuer, such as `https://id.example.org/realms/staff`, by whose pages (OpenID"
                + " Connect) administrators may sign in; at the issuer, register as the redirect URI"
                + " the console's own address with `/admin/sign-in/sso/answer`; empty for none")
        String issuer,
    @Setting("the name by which the issuer knows the console") String clientId,
    @Setting(value = "the client secret, for a confidential client", form = Form.SECRET)
        @Nullable String clientSecret,
    @Setting("PEM file with the authorities that are trusted; without it those of Java")
        @Nullable Path authorities,
    @Setting("what the button says after *Sign in with*; the host of the issuer if empty")
        String label,
    @Setting("what the issuer is asked for") List<String> scopes,
    @Setting("algorithms that are accepted: `RS256`…, `PS256`…, `ES256`…, `EdDSA` (Ed25519)")
        List<String> algorithms,
    @Setting("claim by which the record of changes names someone") String nameClaim,
    @Setting(
            "claim whose values have roles, a text or a list; dots lead into it, as in"
                + " `realm_access.roles`")
        String claim,
    @Setting("the role of each value of that claim; those without such a value are rejected")
        Map<String, SsoRole> role) {
  /// Nobody signs in that way.
  public static final SsoIssuer NONE =
      new SsoIssuer(
          "",
          "",
          null,
          null,
          "",
          List.of("openid", "profile"),
          List.of("RS256", "PS256", "ES256", "EdDSA"),
          "preferred_username",
          "groups",
          Map.of());

  /// Copies the collections.
  public SsoIssuer {
    scopes = List.copyOf(scopes);
    algorithms = List.copyOf(algorithms);
    role = Map.copyOf(role);
  }

  /// Whether there is one.
  public boolean isOn() {
    return !issuer.isEmpty();
  }

  /// Without the secret.
  @Override
  public String toString() {
    return "SsoIssuer[issuer=" + issuer + "]";
  }
}
