package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Accounts of an issuer of tokens.
public record JwtAccounts(
    @Setting(
            "the issuer (`iss`), such as `https://id.example.org/realms/staff`; its"
                + " `/.well-known/openid-configuration` names its keys and is named to clients; must"
                + " be set")
        String issuer,
    @Setting("the audiences (`aud`) of which a token must have one; must be set")
        List<String> audiences,
    @Setting(
            "algorithms that are accepted: `HS256` to `HS512`, `RS256`…, `PS256`…, `ES256`…,"
                + " `EdDSA` (Ed25519)")
        List<String> algorithms,
    @Setting(value = "shared secret of HS algorithms", form = Form.SECRET) @Nullable String secret,
    @Setting(
            "file with keys in place of what the issuer names: a JWK set, or public keys as PEM;"
                + " it is read again when it has changed")
        @Nullable Path keys,
    @Setting(
            value =
                "address of a JWK set, in place of what the issuer names; `http://` for one of this"
                    + " machine only",
            form = Form.URI)
        @Nullable String keysUrl,
    @Setting("PEM file with the authorities that are trusted; without it those of Java")
        @Nullable Path authorities,
    @Setting("claim that is the local part of the address; a part after `@` must be the host")
        String claim,
    @Setting("whether a token is accepted as the password of PLAIN too") boolean password) {
  /// Nothing is set.
  public static final JwtAccounts NONE =
      new JwtAccounts(
          "",
          List.of(),
          List.of("RS256", "ES256", "EdDSA"),
          null,
          null,
          null,
          null,
          "preferred_username",
          true);

  /// Copies the lists.
  public JwtAccounts {
    audiences = List.copyOf(audiences);
    algorithms = List.copyOf(algorithms);
  }

  /// Without the secret.
  @Override
  public String toString() {
    return "JwtAccounts[issuer=" + issuer + "]";
  }
}
