/// Certificates from a certificate authority by ACME (RFC 8555).
///
/// [im.zonda.acme.AcmeClient] speaks the protocol, [im.zonda.acme.CertificateRenewal] decides when.
/// Everything blocks, and belongs on virtual threads. Domains are proved by HTTP
/// ([im.zonda.acme.HttpChallenges]) or by TLS (RFC 8737).
@NullMarked
package im.zonda.acme;

import org.jspecify.annotations.NullMarked;
