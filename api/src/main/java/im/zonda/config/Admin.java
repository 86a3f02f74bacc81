package im.zonda.config;

import im.zonda.config.accounts.SsoIssuer;
import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.List;

/// The admin console.
public record Admin(
    @Setting(
            "whether there is an admin console: at `/admin/` of `http.listen` and"
                + " `http.listen-tls`, for browsers of this machine only")
        boolean enabled,
    @Setting(
            value = "addresses at which the console is for browsers of other machines, by HTTPS",
            form = Form.ADDRESS)
        List<String> listenTls,
    @Setting(
            "addresses, or networks such as `10.0.0.0/8`, from which `admin.listen-tls` answers;"
                + " empty for all")
        List<String> allowFrom,
    @Setting("a word that every page shows, such as `production`; none if empty") String label,
    @Setting(
            "whether administrators who sign in with a password must have a second factor, or may:"
                + " one-time codes or a passkey")
        SecondFactor secondFactor,
    @Setting("the issuer by whose pages administrators may sign in") SsoIssuer sso) {
  /// For this machine only.
  public static final Admin DEFAULTS =
      new Admin(true, List.of(), List.of(), "", SecondFactor.OPTIONAL, SsoIssuer.NONE);

  /// Whether administrators need a second factor.
  public enum SecondFactor {
    OPTIONAL,
    REQUIRED
  }

  /// Copies the lists.
  public Admin {
    listenTls = List.copyOf(listenTls);
    allowFrom = List.copyOf(allowFrom);
  }
}
