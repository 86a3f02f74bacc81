package im.zonda.dns;

/// A TLSA record (RFC 6698, section 2.1).
///
/// @param usage 0 PKIX-TA, 1 PKIX-EE, 2 DANE-TA, 3 DANE-EE
/// @param selector what of the certificate is compared: 0 all, 1 its public key
/// @param matchingType how: 0 as it is, 1 by SHA-256, 2 by SHA-512
/// @param data the association data in lower-case hexadecimal digits
public record Tlsa(int usage, int selector, int matchingType, String data) {}
