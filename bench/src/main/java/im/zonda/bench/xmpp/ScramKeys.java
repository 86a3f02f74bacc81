package im.zonda.bench.xmpp;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/// The keys of SCRAM (RFC 5802, section 3) that follow from a password, a salt and a number of
/// iterations. They are derived once, on a thread of its own: the load must not spend its time on
/// PBKDF2. Any thread may call.
final class ScramKeys implements AutoCloseable {
  private static final int MOST = 200_000;

  /// What keys are derived from.
  ///
  /// @param hash such as `SHA-1`
  /// @param salt in Base64
  record Source(String hash, String password, String salt, int iterations) {}

  /// The keys of a client.
  @SuppressWarnings("ArrayRecordComponent") // they are never compared
  record Keys(byte[] clientKey, byte[] storedKey, byte[] serverKey) {}

  private final Map<Source, CompletableFuture<Keys>> known = new ConcurrentHashMap<>();
  private final ExecutorService deriving =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("bench-scram").factory());

  /// The keys; they may still be derived.
  CompletableFuture<Keys> of(Source source) {
    if (known.size() >= MOST) {
      known.clear();
    }
    return known.computeIfAbsent(
        source, each -> CompletableFuture.supplyAsync(() -> derive(each), deriving));
  }

  static Keys derive(Source source) {
    byte[] salt = java.util.Base64.getDecoder().decode(source.salt());
    try {
      MessageDigest digest = MessageDigest.getInstance(source.hash());
      PBEKeySpec spec =
          new PBEKeySpec(
              source.password().toCharArray(),
              salt,
              source.iterations(),
              digest.getDigestLength() * 8);
      byte[] salted =
          SecretKeyFactory.getInstance("PBKDF2WithHmac" + source.hash().replace("-", ""))
              .generateSecret(spec)
              .getEncoded();
      byte[] clientKey = hmac(source.hash(), salted, "Client Key");
      byte[] serverKey = hmac(source.hash(), salted, "Server Key");
      return new Keys(clientKey, digest.digest(clientKey), serverKey);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no " + source.hash(), e);
    }
  }

  static byte[] hmac(String hash, byte[] key, String text) throws GeneralSecurityException {
    String name = "Hmac" + hash.replace("-", "");
    Mac mac = Mac.getInstance(name);
    mac.init(new SecretKeySpec(key, name));
    return mac.doFinal(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    deriving.shutdownNow();
  }
}
