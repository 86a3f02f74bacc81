package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Accounts of people whose clients have a certificate.
public record CertificateAccounts(
    @Setting("PEM file with the authorities whose certificates are accepted; must be set")
        @Nullable Path authorities,
    @Setting("PEM or DER file with certificates that were revoked (CRL)") @Nullable Path revoked,
    @Setting(
            "names of a certificate in which the address is looked for, in that order: `xmpp-addr`"
                + " (RFC 6120, section 13.7.1.4), `email`, or `common-name` for the local part alone")
        List<String> names) {
  /// Nothing is set.
  public static final CertificateAccounts NONE =
      new CertificateAccounts(null, null, List.of("xmpp-addr"));

  /// Copies the list.
  public CertificateAccounts {
    names = List.copyOf(names);
  }
}
