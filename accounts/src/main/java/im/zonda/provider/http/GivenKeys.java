package im.zonda.provider.http;

import im.zonda.account.provider.ProviderException;
import im.zonda.store.ScramKeys;
import java.util.Base64;

/// SCRAM keys as a service gives them.
final class GivenKeys {
  /// The fewest iterations (RFC 7677, section 4).
  static final int FEWEST_ITERATIONS = 4_096;

  /// The most iterations: clients compute them too.
  static final int MOST_ITERATIONS = 1_000_000;

  private static final int MOST_SALT = 1_024;

  private GivenKeys() {}

  /// Reads keys.
  ///
  /// @param salt in Base64, as the two keys
  /// @throws ProviderException if they cannot be used
  static ScramKeys of(String hash, long iterations, String salt, String storedKey, String serverKey)
      throws ProviderException {
    int size =
        switch (hash) {
          case "SHA-1" -> 20;
          case "SHA-256" -> 32;
          case "SHA-512" -> 64;
          default ->
              throw new ProviderException("SCRAM keys are for SHA-1, SHA-256 and SHA-512 only");
        };
    if (iterations < FEWEST_ITERATIONS || iterations > MOST_ITERATIONS) {
      throw new ProviderException(
          "the iterations of SCRAM keys are not from "
              + FEWEST_ITERATIONS
              + " to "
              + MOST_ITERATIONS);
    }
    byte[] salted = decode(salt);
    byte[] stored = decode(storedKey);
    byte[] server = decode(serverKey);
    if (salted.length == 0 || salted.length > MOST_SALT) {
      throw new ProviderException("the salt of SCRAM keys is empty or too long");
    }
    if (stored.length != size || server.length != size) {
      throw new ProviderException("SCRAM keys for " + hash + " do not have " + size + " bytes");
    }
    return new ScramKeys(hash, salted, (int) iterations, stored, server);
  }

  private static byte[] decode(String base64) throws ProviderException {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // The reason may quote the key.
      throw new ProviderException("SCRAM keys are not in Base64");
    }
  }
}
