package im.zonda.store;

/// The keys of one SCRAM hash that are stored in place of a password (RFC 5802, section 3).
///
/// @param hash `SHA-1`, `SHA-256` or `SHA-512`
/// @param salt the salt
/// @param iterations the iteration count
/// @param storedKey H(ClientKey)
/// @param serverKey HMAC(SaltedPassword, "Server Key")
@SuppressWarnings("ArrayRecordComponent") // compared only by the SASL exchange, in constant time
public record ScramKeys(
    String hash, byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {}
