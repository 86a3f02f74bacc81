package im.zonda.net.tls;

import im.zonda.stream.ChannelBinding;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// The channel binding data of a TLS connection after its handshake.
final class TlsBinding {
  private static final String EXPORTER_LABEL = "EXPORTER-Channel-Binding";
  private static final int EXPORTER_BYTES = 32;

  private TlsBinding() {}

  /// The data of that kind, or null if the connection has none.
  static byte @Nullable [] of(SSLEngine engine, ChannelBinding kind) {
    SSLSession session = engine.getSession();
    return switch (kind) {
      case TLS_EXPORTER -> exporter(session);
      case TLS_SERVER_END_POINT -> {
        Certificate[] server = serverCertificates(engine, session);
        yield server != null && server.length > 0 && server[0] instanceof X509Certificate leaf
            ? endPoint(leaf)
            : null;
      }
    };
  }

  private static Certificate @Nullable [] serverCertificates(SSLEngine engine, SSLSession session) {
    if (!engine.getUseClientMode()) {
      return session.getLocalCertificates();
    }
    try {
      return session.getPeerCertificates();
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }

  /// RFC 9266. Not for TLS 1.2, where it is only unique with the extended master secret.
  private static byte @Nullable [] exporter(SSLSession session) {
    if (!session.getProtocol().equals("TLSv1.3")
        || !(session instanceof ExtendedSSLSession extended)) {
      return null;
    }
    try {
      // An empty context and no context give the same result in TLS 1.3.
      return extended.exportKeyingMaterialData(EXPORTER_LABEL, new byte[0], EXPORTER_BYTES);
    } catch (SSLException | UnsupportedOperationException e) {
      return null;
    }
  }

  /// RFC 5929, section 4.1: the hash of the certificate's own signature, but nothing weaker than
  /// SHA-256. Undefined, so null, for signatures without a hash such as Ed25519.
  static byte @Nullable [] endPoint(X509Certificate certificate) {
    String signature = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
    int with = signature.indexOf("WITH");
    if (with < 0) {
      return null;
    }
    String hash =
        switch (signature.substring(0, with)) {
          case "SHA384" -> "SHA-384";
          case "SHA512" -> "SHA-512";
          default -> "SHA-256";
        };
    try {
      return MessageDigest.getInstance(hash).digest(certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      return null;
    }
  }
}
