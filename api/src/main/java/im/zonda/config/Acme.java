package im.zonda.config;

import im.zonda.config.annotation.Setting;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Certificates from a certificate authority (ACME, RFC 8555).
public record Acme(
    @Setting(
            "URL of the directory of a certificate authority that speaks ACME, such as"
                + " `https://acme-v02.api.letsencrypt.org/directory`. Hosts without a certificate"
                + " in the configuration get theirs from it. Without it there is none")
        @Nullable String directory,
    @Setting("whether the terms of service of the authority are agreed to; it must be true")
        boolean termsAgreed,
    @Setting("e-mail address to which the authority may write") @Nullable String email,
    @Setting(
            "how domains are proved: `http-01` needs port 80 of each domain at an address in"
                + " `http.listen`, `tls-alpn-01` port 443 at one in `http.listen-tls` or"
                + " `c2s.listen-tls`, which in a cluster only the asking node answers")
        Challenge challenge,
    @Setting(
            "whether certificates also name the domains of services, such as rooms.example.org,"
                + " which must then have addresses in DNS")
        boolean services,
    @Setting(
            "folder of the account's key, the certificates and their keys; without it `acme` in the"
                + " data folder. The nodes of a cluster must share one")
        @Nullable Path folder,
    @Setting(
            "PEM file with the authorities that the directory's own certificate is checked against;"
                + " without it those of the platform")
        @Nullable Path ca) {
  /// How control of a domain is proved.
  public enum Challenge {
    HTTP_01,
    TLS_ALPN_01
  }

  /// No authority.
  public static final Acme DEFAULTS =
      new Acme(null, false, null, Challenge.HTTP_01, true, null, null);

  /// Whether certificates are asked for.
  public boolean isOn() {
    return directory != null;
  }

  /// The folder of keys and certificates.
  public Path folder(Path data) {
    return folder == null ? data.resolve("acme") : folder;
  }
}
