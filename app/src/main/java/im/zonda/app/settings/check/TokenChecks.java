package im.zonda.app.settings.check;

import im.zonda.config.accounts.JwtAccounts;
import im.zonda.config.accounts.SsoIssuer;
import im.zonda.config.accounts.SsoRole;
import im.zonda.provider.jwt.Discovery;
import im.zonda.provider.jwt.FileKeys;
import im.zonda.provider.jwt.JsonClient;
import im.zonda.provider.jwt.SignatureAlgorithm;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Checks of `[accounts.jwt.NAME]` and `[admin.sso]`.
///
/// @param report takes the key and what is wrong with it
public record TokenChecks(BiConsumer<String, String> report) {
  private static final int MOST_LABEL = 40;

  /// Reports values that cannot be used.
  ///
  /// @param path of the sections
  public void run(String path, Map<String, JwtAccounts> issuers) {
    issuers.forEach((name, issuer) -> run(path + '.' + name, issuer));
  }

  private void run(String path, JwtAccounts issuer) {
    if (issuer.issuer().isBlank()) {
      wrong(path, "issuer", "must be set");
    }
    if (issuer.audiences().isEmpty()) {
      wrong(
          path,
          "audiences",
          "must name at least one; otherwise tokens for other services would log in here");
    }
    algorithms(path, issuer.algorithms());
    String secret = issuer.secret();
    Path keys = issuer.keys();
    String url = issuer.keysUrl();
    boolean open = false;
    for (String each : issuer.algorithms()) {
      SignatureAlgorithm algorithm = SignatureAlgorithm.ofName(each);
      if (algorithm == null) {
        continue;
      }
      if (!algorithm.isSecret()) {
        open = true;
      } else if (secret == null && keys == null) {
        wrong(path, "algorithms", each + " needs a secret");
      } else if (secret != null
          && secret.getBytes(StandardCharsets.UTF_8).length < algorithm.minSecretBytes()) {
        wrong(
            path,
            "secret",
            each + " needs a secret of at least " + algorithm.minSecretBytes() + " bytes");
      }
    }
    if (keys != null) {
      String problem = FileKeys.problem(keys);
      if (problem != null) {
        wrong(path, "keys", problem);
      }
    }
    if (url != null && !isAllowed(url)) {
      wrong(path, "keys-url", url + " is neither https:// nor http:// of this machine");
    }
    boolean asked = open && keys == null && url == null;
    if (asked && !issuer.issuer().isBlank() && Discovery.place(issuer.issuer()) == null) {
      wrong(
          path,
          "issuer",
          issuer.issuer()
              + " is not https://, so it cannot be asked for its keys; set keys or"
              + " keys-url");
    }
    readable(path, issuer.authorities());
    if (issuer.claim().isBlank()) {
      wrong(path, "claim", "must be set");
    }
  }

  /// Reports values that cannot be used.
  ///
  /// @param hosts the domains of the hosts
  public void run(SsoIssuer sso, List<String> hosts) {
    String path = "admin.sso";
    if (!sso.isOn()) {
      return;
    }
    if (Discovery.place(sso.issuer()) == null) {
      wrong(path, "issuer", sso.issuer() + " is neither https:// nor http:// of this machine");
    }
    if (sso.clientId().isBlank()) {
      wrong(path, "client-id", "must be set");
    }
    algorithms(path, sso.algorithms());
    for (String each : sso.algorithms()) {
      SignatureAlgorithm algorithm = SignatureAlgorithm.ofName(each);
      if (algorithm != null && algorithm.isSecret()) {
        wrong(path, "algorithms", each + " has a secret, and the issuer's keys are public");
      }
    }
    readable(path, sso.authorities());
    if (sso.label().length() > MOST_LABEL) {
      wrong(path, "label", "a word of at most " + MOST_LABEL + " characters is expected");
    }
    if (!sso.scopes().contains("openid")) {
      wrong(path, "scopes", "must name openid");
    }
    if (sso.role().isEmpty()) {
      wrong(path, "role", "gives no value of " + sso.claim() + " a role, so nobody could sign in");
    }
    sso.role().forEach((value, role) -> role(path + ".role." + value, value, role, hosts));
  }

  private void role(String path, String value, SsoRole role, List<String> hosts) {
    if (value.isBlank() || value.chars().anyMatch(Character::isISOControl)) {
      wrong(path, "role", "the value of the claim is not a text of one line");
    }
    if (role.role() == SsoRole.Role.HOST_ADMIN && role.hosts().isEmpty()) {
      wrong(path, "hosts", "must name the hosts of host-admin");
    }
    for (String each : role.hosts()) {
      if (!hosts.contains(each)) {
        wrong(path, "hosts", each + " is no host of this server");
      }
    }
  }

  private void algorithms(String path, List<String> names) {
    if (names.isEmpty()) {
      wrong(path, "algorithms", "must name at least one");
    }
    for (String each : names) {
      if (SignatureAlgorithm.ofName(each) == null) {
        wrong(path, "algorithms", "there is no algorithm " + each);
      }
    }
  }

  private void readable(String path, @Nullable Path file) {
    if (file != null && !Files.isReadable(file)) {
      wrong(path, "authorities", file + " cannot be read");
    }
  }

  private static boolean isAllowed(String url) {
    try {
      return JsonClient.isAllowed(new URI(url));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private void wrong(String path, String key, String text) {
    String full = path + '.' + key;
    report.accept(full, full + ": " + text);
  }
}
