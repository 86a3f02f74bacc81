package im.zonda.stream.server;

import im.zonda.dns.DaneTrust;
import im.zonda.dns.Target;
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
public final class DomainCertificate {
  private static final int OTHER_NAME = 0;
  private static final String SRV_PREFIX = "_xmpp-server.";

  /// id-on-dnsSRV (RFC 4985) and id-on-xmppAddr (RFC 6120, section 13.7.1.4), in DER.
  private static final byte[] SRV_NAME = {0x2b, 6, 1, 5, 5, 7, 8, 7};

  private static final byte[] XMPP_ADDR = {0x2b, 6, 1, 5, 5, 7, 8, 5};

  private DomainCertificate() {}

  /// What the certificates of a server that was connected to are worth.
  ///
  /// @param problem why they do not prove the domain, in words for administrators; null if they do
  /// @param isExcluded whether DANE excludes the server: nothing else can prove the domain then
  public record Verdict(@Nullable String problem, boolean isExcluded) {}

  /// Checks the certificates of a server of the domain. If it has TLSA records, which DNSSEC has
  /// proved, they decide (RFC 7673): a certificate that they name needs no authority, and one that
  /// they do not name is worth nothing.
  public static Verdict check(
      @Nullable PeerCertificates peer, String domain, Target server, Instant now) {
    DaneTrust.Verdict dane =
        peer == null
            ? DaneTrust.Verdict.NO_RECORDS
            : DaneTrust.check(server.tlsa(), peer.chain(), now);
    return switch (dane) {
      case TRUSTED -> new Verdict(null, false);
      case TRUSTED_IF_NAMED ->
          new Verdict(findProblem(peer, names(domain, server), true, now), false);
      case TRUSTED_IF_VALID ->
          new Verdict(findProblem(peer, names(domain, server), false, now), false);
      case NO_RECORDS -> new Verdict(findProblem(peer, domain, now), false);
      case MISMATCH ->
          new Verdict("its certificate is none of those that its TLSA records (DANE) name", true);
    };
  }

  /// The names one of which the certificate must have (RFC 7673, section 4.1).
  private static List<String> names(String domain, Target server) {
    return List.of(domain, server.host());
  }

  /// Why the certificates do not prove the domain, in words for administrators; null if they do.
  public static @Nullable String findProblem(
      @Nullable PeerCertificates peer, String domain, Instant now) {
    return findProblem(peer, List.of(domain), false, now);
  }

  /// @param domains the domains one of which the certificate must name
  /// @param anchored whether the chain leads to an authority that is trusted for other reasons
  private static @Nullable String findProblem(
      @Nullable PeerCertificates peer, List<String> domains, boolean anchored, Instant now) {
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
    if (!anchored && !peer.isTrusted()) {
      boolean selfSigned = leaf.getSubjectX500Principal().equals(leaf.getIssuerX500Principal());
      return selfSigned
          ? "its certificate is self-signed"
          : "its certificate leads to no authority that is trusted here: " + peer.problem();
    }
    try {
      for (String domain : domains) {
        if (names(leaf, domain)) {
          return null;
        }
      }
      return "its certificate is not for " + domains.getFirst() + ", but for " + described(leaf);
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
