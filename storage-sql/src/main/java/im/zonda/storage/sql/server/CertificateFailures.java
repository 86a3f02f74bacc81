package im.zonda.storage.sql.server;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;

/// Finds out why TLS with a database server failed.
final class CertificateFailures {
  private CertificateFailures() {}

  /// Whether the certificate has no path to an authority, or has expired.
  static boolean isUntrusted(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathBuilderException
          || cause instanceof CertPathValidatorException
          || cause instanceof CertificateExpiredException
          || cause instanceof CertificateNotYetValidException) {
        return true;
      }
    }
    return false;
  }
}
