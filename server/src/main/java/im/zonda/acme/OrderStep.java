package im.zonda.acme;

import java.time.Instant;

/// A step that an order for a certificate has reached (RFC 8555, section 7.1.6).
///
/// @param kind which one
/// @param detail what it was about, such as a domain
/// @param time when it was reached
public record OrderStep(Kind kind, String detail, Instant time) {
  /// The steps.
  public enum Kind {
    /// The authority knows the account.
    ACCOUNT,
    /// The authority has accepted the order.
    ORDER,
    /// The answer to the challenge of a domain is in place.
    CHALLENGE,
    /// The authority has found the answer, so that the domain is proved.
    VALIDATION,
    /// The authority has issued the certificate.
    ISSUED
  }
}
