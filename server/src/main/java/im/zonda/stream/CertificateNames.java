package im.zonda.stream;

import im.zonda.jid.Jid;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// The domains that a certificate names (RFC 9525).
///
/// @param dnsNames its DNS names in lower case, as A-labels; `*.` stands for one label
public record CertificateNames(List<String> dnsNames) {
  private static final int DNS_NAME = 2;

  /// Copies the list.
  public CertificateNames {
    dnsNames = List.copyOf(dnsNames);
  }

  /// The names of that certificate.
  ///
  /// @throws CertificateParsingException if they cannot be read
  public static CertificateNames of(X509Certificate certificate)
      throws CertificateParsingException {
    List<String> names = new ArrayList<>();
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives != null) {
      for (List<?> alternative : alternatives) {
        if (alternative.get(0).equals(DNS_NAME) && alternative.get(1) instanceof String name) {
          names.add(name.toLowerCase(Locale.ROOT));
        }
      }
    }
    return new CertificateNames(names);
  }

  /// A domain as A-labels (RFC 5890), the form in which certificates and SNI name it. What is ASCII
  /// stays, apart from its case: it may be a wildcard, or what a client has sent.
  public static String toAscii(String domain) {
    return domain.chars().allMatch(c -> c < 0x80)
        ? domain.toLowerCase(Locale.ROOT)
        : Jid.of(null, domain, null).asciiDomain();
  }

  /// Whether the certificate names that domain (RFC 9525, section 6.3).
  public boolean cover(String domain) {
    String wanted = toAscii(domain);
    int dot = wanted.indexOf('.');
    return dnsNames.contains(wanted) || (dot > 0 && dnsNames.contains("*" + wanted.substring(dot)));
  }
}
