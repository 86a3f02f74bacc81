package im.zonda.app;

import im.zonda.module.IdSource;
import java.util.Base64;
import java.util.random.RandomGenerator;

/// Generates identifiers of 144 random bits, written as 24 letters, digits, `-` and `_`.
///
/// Reads random bytes for many identifiers at a time, because each call takes a lock.
final class RandomIds implements IdSource {
  private static final int ID_BYTES = 18;
  private static final int IDS_AT_A_TIME = 64;

  private final RandomGenerator random;
  private final byte[] stock = new byte[ID_BYTES * IDS_AT_A_TIME];
  private int used = stock.length;

  /// @param random must be cryptographically strong
  RandomIds(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public String next() {
    byte[] id = new byte[ID_BYTES];
    synchronized (this) {
      if (used == stock.length) {
        random.nextBytes(stock);
        used = 0;
      }
      System.arraycopy(stock, used, id, 0, ID_BYTES);
      used += ID_BYTES;
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
  }
}
