package im.zonda.console.factor;

import im.zonda.http.Signer;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Encrypts what is kept in the store or sent to a browser (AES-256-GCM), with keys that are
/// derived from the server's secret, which is not in the store. Any thread may call.
///
/// @param signer derives the keys
/// @param random cryptographically strong
public record Seal(Signer signer, RandomGenerator random) {
  private static final String PURPOSE = "console-seal";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  /// Encrypts.
  ///
  /// @param context the kind and the owner of the content; the key is derived from it
  public byte[] close(String context, byte[] content) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] closed = cipher(Cipher.ENCRYPT_MODE, context, nonce).doFinal(content);
      return ByteBuffer.allocate(nonce.length + closed.length).put(nonce).put(closed).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot encrypt", e);
    }
  }

  /// Decrypts; null if it is damaged, or was encrypted with another context or secret.
  public byte @Nullable [] open(String context, byte[] closed) {
    if (closed.length <= NONCE_BYTES) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(closed);
    byte[] nonce = new byte[NONCE_BYTES];
    buffer.get(nonce);
    byte[] rest = new byte[buffer.remaining()];
    buffer.get(rest);
    try {
      return cipher(Cipher.DECRYPT_MODE, context, nonce).doFinal(rest);
    } catch (AEADBadTagException e) {
      return null; // someone else's
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot decrypt", e);
    }
  }

  private Cipher cipher(int mode, String context, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(
        mode,
        new SecretKeySpec(signer.sign(PURPOSE, context), "AES"),
        new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }
}
