package im.zonda.dns;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/// Compares a certificate chain with the TLSA records of its server (RFC 6698, RFC 7671). Does no
/// I/O.
public final class DaneTrust {
  private static final int PKIX_TA = 0;
  private static final int PKIX_EE = 1;
  private static final int DANE_TA = 2;
  private static final int DANE_EE = 3;

  /// What the records say about a chain, the strongest first.
  public enum Verdict {
    /// The server's own certificate is named (DANE-EE): neither its names nor its dates nor its
    /// issuer matter (RFC 7671, section 5.1).
    TRUSTED,
    /// The chain leads to an authority that is named (DANE-TA): the certificate must also name the
    /// domain or the host.
    TRUSTED_IF_NAMED,
    /// A certificate of the chain is named (PKIX-TA, PKIX-EE): the chain must also lead to a
    /// trusted authority, and the certificate must name the domain or the host.
    TRUSTED_IF_VALID,
    /// There are no records that can be used: as if there were none.
    NO_RECORDS,
    /// The chain is none of those that the records name: it must not be trusted.
    MISMATCH
  }

  private DaneTrust() {}

  /// Compares.
  ///
  /// @param records records that DNSSEC has proved
  /// @param chain the chain that the server has presented, its own certificate first; not empty
  /// @param now when the chain of DANE-TA must be valid
  public static Verdict check(List<Tlsa> records, List<X509Certificate> chain, Instant now) {
    Verdict best = Verdict.NO_RECORDS;
    for (Tlsa each : records) {
      if (!isUsable(each)) {
        continue;
      }
      if (best == Verdict.NO_RECORDS) {
        best = Verdict.MISMATCH;
      }
      Verdict verdict = check(each, chain, now);
      if (verdict.compareTo(best) < 0) {
        best = verdict;
      }
    }
    return best;
  }

  private static boolean isUsable(Tlsa record) {
    return record.usage() <= DANE_EE && record.selector() <= 1 && record.matchingType() <= 2;
  }

  private static Verdict check(Tlsa record, List<X509Certificate> chain, Instant now) {
    boolean matches =
        switch (record.usage()) {
          case PKIX_EE, DANE_EE -> matches(record, chain.getFirst());
          case PKIX_TA -> indexOf(record, chain) > 0;
          case DANE_TA -> {
            int anchor = indexOf(record, chain);
            yield anchor > 0 && leadsTo(anchor, chain, now);
          }
          default -> false;
        };
    if (!matches) {
      return Verdict.MISMATCH;
    }
    return switch (record.usage()) {
      case DANE_EE -> Verdict.TRUSTED;
      case DANE_TA -> Verdict.TRUSTED_IF_NAMED;
      default -> Verdict.TRUSTED_IF_VALID;
    };
  }

  /// The place in the chain of the authority that the record names; -1 if it is not there. The
  /// server has to present it (RFC 7671, section 5.2.2).
  private static int indexOf(Tlsa record, List<X509Certificate> chain) {
    for (int i = 1; i < chain.size(); i++) {
      if (matches(record, chain.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean matches(Tlsa record, X509Certificate certificate) {
    try {
      byte[] selected =
          record.selector() == 0
              ? certificate.getEncoded()
              : certificate.getPublicKey().getEncoded();
      byte[] compared =
          switch (record.matchingType()) {
            case 1 -> MessageDigest.getInstance("SHA-256").digest(selected);
            case 2 -> MessageDigest.getInstance("SHA-512").digest(selected);
            default -> selected;
          };
      return HexFormat.of().formatHex(compared).equals(record.data());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /// Whether the certificates before that place are a valid path to the one at it (RFC 5280).
  private static boolean leadsTo(int anchor, List<X509Certificate> chain, Instant now) {
    try {
      PKIXParameters parameters =
          new PKIXParameters(Set.of(new TrustAnchor(chain.get(anchor), null)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      CertPathValidator.getInstance("PKIX")
          .validate(
              CertificateFactory.getInstance("X.509").generateCertPath(chain.subList(0, anchor)),
              parameters);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
