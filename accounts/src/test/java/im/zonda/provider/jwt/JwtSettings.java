package im.zonda.provider.jwt;

import im.zonda.config.accounts.JwtAccounts;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Settings that a test changes.
final class JwtSettings {
  String issuer;
  List<String> algorithms = List.of("RS256", "ES256", "EdDSA");
  @Nullable String secret;
  @Nullable Path keys;
  boolean password = true;

  JwtSettings(String issuer) {
    this.issuer = issuer;
  }

  JwtAccounts build() {
    return new JwtAccounts(
        issuer,
        List.of("chat"),
        algorithms,
        secret,
        keys,
        null,
        null,
        "preferred_username",
        password);
  }
}
