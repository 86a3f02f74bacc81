package im.zonda.stream.server;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stream.CertificateNames;
import im.zonda.stream.PeerCertificates;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Decides whether the certificates of another server are good for a domain (RFC 9525, RFC 6120,
/// section 13.7): the chain is trusted, and the certificate names the domain in `subjectAltName` as
/// a dNSName, an SRVName (`_xmpp-server`) or an xmppAddr. The common name counts for nothing.
final class DomainCertificate {
  private static final int OTHER_NAME = 0;
  private static final String SRV_PREFIX = "_xmpp-server.";

  /// id-on-dnsSRV (RFC 4985) and id-on-xmppAddr (RFC 6120, section 13.7.1.4), in DER.
  private static final byte[] SRV_NAME = {0x2b, 6, 1, 5, 5, 7, 8, 7};

  private static final byte[] XMPP_ADDR = {0x2b, 6, 1, 5, 5, 7, 8, 5};

  private DomainCertificate() {}

  /// Why the certificates do not prove the domain, in words for administrators; null if they do.
  static @Nullable String findProblem(@Nullable PeerCertificates peer, String domain, Instant now) {
    if (peer == null) {
      return "the other server has presented no certificate";
    }
    X509Certificate leaf = peer.chain().getFirst();
    try {
      leaf.checkValidity(Date.from(now));
    } catch (CertificateExpiredException e) {
      return "its certificate has expired on " + leaf.getNotAfter().toInstant();
    } catch (CertificateNotYetValidException e) {
      return "its certificate is not valid before " + leaf.getNotBefore().toInstant();
    }
    if (!peer.isTrusted()) {
      boolean selfSigned = leaf.getSubjectX500Principal().equals(leaf.getIssuerX500Principal());
      return selfSigned
          ? "its certificate is self-signed"
          : "its certificate leads to no authority that is trusted here: " + peer.problem();
    }
    try {
      return names(leaf, domain)
          ? null
          : "its certificate is not for " + domain + ", but for " + described(leaf);
    } catch (CertificateParsingException | IllegalArgumentException e) {
      return "the names in its certificate cannot be read: " + e.getMessage();
    }
  }

  private static String described(X509Certificate leaf) throws CertificateParsingException {
    List<String> names = CertificateNames.of(leaf).dnsNames();
    return names.isEmpty() ? "no DNS name" : String.join(", ", names);
  }

  private static boolean names(X509Certificate leaf, String domain)
      throws CertificateParsingException {
    // An address is no DNS name, and a wildcard must not match one.
    if (!isAddress(domain) && CertificateNames.of(leaf).cover(domain)) {
      return true;
    }
    Collection<List<?>> alternatives = leaf.getSubjectAlternativeNames();
    if (alternatives == null) {
      return false;
    }
    for (List<?> each : alternatives) {
      if (each.get(0) instanceof Integer type
          && type == OTHER_NAME
          && each.get(1) instanceof byte[] der
          && isOtherName(der, domain)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAddress(String domain) {
    return domain.startsWith("[")
        || domain.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  private static boolean isOtherName(byte[] der, String domain) {
    DerValue name = DerValue.read(der, 0, der.length);
    DerValue id = name == null ? null : name.first();
    DerValue tagged = id == null ? null : id.next();
    DerValue value = tagged == null ? null : tagged.first();
    if (id == null || value == null || id.tag() != DerValue.OBJECT_ID) {
      return false;
    }
    if (id.contentIs(SRV_NAME) && value.tag() == DerValue.IA5_STRING) {
      String wanted = SRV_PREFIX + CertificateNames.toAscii(domain);
      return value.text(StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT).equals(wanted);
    }
    return id.contentIs(XMPP_ADDR)
        && value.tag() == DerValue.UTF8_STRING
        && isDomain(value.text(StandardCharsets.UTF_8), domain);
  }

  private static boolean isDomain(String text, String domain) {
    try {
      Jid jid = Jid.of(text);
      return jid.isDomain() && jid.domain().equals(domain);
    } catch (JidFormatException e) {
      return false;
    }
  }
}
