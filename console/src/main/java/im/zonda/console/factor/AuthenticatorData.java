package im.zonda.console.factor;

import im.zonda.hash.HashFunction;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// The data of an authenticator (Web Authentication, section 6.1).
///
/// @param siteHash the hash of the name of the site
/// @param flags the flags: user present, user verified, credential included
/// @param counter the signature counter of the authenticator; 0 if it has none
/// @param credential the new credential of a registration; null when a credential is used
@SuppressWarnings("ArrayRecordComponent") // never compared
record AuthenticatorData(
    byte[] siteHash, int flags, long counter, @Nullable Credential credential) {
  private static final int HASH = 32;
  private static final int SHORTEST = HASH + 1 + Integer.BYTES;
  private static final int MODEL = 16;
  private static final int LONGEST_ID = 1_023;

  private static final int PRESENT = 1;
  private static final int VERIFIED = 1 << 2;
  private static final int HAS_CREDENTIAL = 1 << 6;
  private static final int HAS_EXTENSIONS = 1 << 7;

  /// A new credential.
  ///
  /// @param id its identifier
  record Credential(byte[] id, PasskeyKey key) {}

  /// Reads it; null if it is damaged, or has a key of an unknown kind.
  static @Nullable AuthenticatorData read(byte[] bytes) {
    if (bytes.length < SHORTEST) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    byte[] siteHash = new byte[HASH];
    buffer.get(siteHash);
    int flags = buffer.get() & 0xff;
    long counter = Integer.toUnsignedLong(buffer.getInt());
    Credential credential = null;
    if ((flags & HAS_CREDENTIAL) != 0) {
      credential = credential(buffer);
      if (credential == null) {
        return null;
      }
    }
    boolean rest = buffer.hasRemaining();
    return rest == ((flags & HAS_EXTENSIONS) != 0)
        ? new AuthenticatorData(siteHash, flags, counter, credential)
        : null;
  }

  /// Section 6.5.1.
  private static @Nullable Credential credential(ByteBuffer buffer) {
    if (buffer.remaining() < MODEL + Short.BYTES) {
      return null;
    }
    buffer.position(buffer.position() + MODEL);
    int length = Short.toUnsignedInt(buffer.getShort());
    if (length == 0 || length > LONGEST_ID || buffer.remaining() < length) {
      return null;
    }
    byte[] id = new byte[length];
    buffer.get(id);
    byte[] rest = new byte[buffer.remaining()];
    buffer.duplicate().get(rest);
    PasskeyKey.Read read = PasskeyKey.read(rest);
    if (read == null) {
      return null;
    }
    buffer.position(buffer.position() + read.length());
    return new Credential(id, read.key());
  }

  /// Whether it is for that site, with a person there who has proved to be its owner, by a
  /// fingerprint or a PIN.
  boolean proves(String site) {
    return MessageDigest.isEqual(siteHash, HashFunction.SHA_256.hash(site))
        && (flags & PRESENT) != 0
        && (flags & VERIFIED) != 0;
  }
}
