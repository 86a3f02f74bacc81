package im.zonda.console.factor;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The public key of a passkey.
///
/// Authenticators write it in the one canonical form of CTAP2 (CTAP 2.1, section 8): the bytes
/// before its numbers are always the same, and nothing else is accepted.
///
/// @param kind the algorithm
/// @param raw the coordinates, as bytes one after another
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PasskeyKey(Kind kind, byte[] raw) {
  private static final int COORDINATE = 32;

  /// The algorithms (RFC 9053, sections 2.1 and 2.2).
  public enum Kind {
    /// ECDSA with P-256 and SHA-256.
    ES256("EC", "SHA256withECDSA", 2, "3059301306072a8648ce3d020106082a8648ce3d03010703420004"),
    /// EdDSA with Ed25519.
    EDDSA("Ed25519", "Ed25519", 1, "302a300506032b6570032100");

    private final String factory;
    private final String signature;
    private final int coordinates;
    private final String before;

    Kind(String factory, String signature, int coordinates, String before) {
      this.factory = factory;
      this.signature = signature;
      this.coordinates = coordinates;
      this.before = before;
    }

    private byte[] beginning() {
      return HexFormat.of()
          .parseHex(this == ES256 ? "a5010203262001215820" : "a4010103272006215820");
    }
  }

  private static final byte[] SECOND = HexFormat.of().parseHex("225820");

  /// A key, and what is behind it.
  ///
  /// @param length the number of bytes that it has taken
  record Read(PasskeyKey key, int length) {}

  /// Reads a key at the beginning of these bytes; null if there is none of a known kind.
  static @Nullable Read read(byte[] bytes) {
    for (Kind kind : Kind.values()) {
      byte[] beginning = kind.beginning();
      int length = beginning.length + COORDINATE;
      if (!startsWith(bytes, 0, beginning) || bytes.length < length) {
        continue;
      }
      byte[] first = Arrays.copyOfRange(bytes, beginning.length, length);
      if (kind.coordinates == 1) {
        return new Read(new PasskeyKey(kind, first), length);
      }
      int next = length + SECOND.length;
      if (startsWith(bytes, length, SECOND) && bytes.length >= next + COORDINATE) {
        byte[] both = Arrays.copyOf(first, 2 * COORDINATE);
        System.arraycopy(bytes, next, both, COORDINATE, COORDINATE);
        return new Read(new PasskeyKey(kind, both), next + COORDINATE);
      }
    }
    return null;
  }

  private static boolean startsWith(byte[] bytes, int from, byte[] beginning) {
    return bytes.length >= from + beginning.length
        && Arrays.equals(bytes, from, from + beginning.length, beginning, 0, beginning.length);
  }

  /// Whether the bearer of the private key has signed a text.
  boolean verifies(byte[] text, byte[] signature) {
    try {
      Signature check = Signature.getInstance(kind.signature);
      check.initVerify(publicKey());
      check.update(text);
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // no signature, or the key is no point of the curve
    }
  }

  private PublicKey publicKey() throws GeneralSecurityException {
    byte[] before = HexFormat.of().parseHex(kind.before);
    byte[] encoded = Arrays.copyOf(before, before.length + raw.length);
    System.arraycopy(raw, 0, encoded, before.length, raw.length);
    return KeyFactory.getInstance(kind.factory).generatePublic(new X509EncodedKeySpec(encoded));
  }
}
