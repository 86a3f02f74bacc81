package im.zonda.provider.hash;

import java.util.concurrent.Semaphore;

/// Limits of what it may cost to check one password, and of the memory that all checks use.
final class Costs {
  /// Two to the power of this; 16 takes about 5 seconds.
  static final int BCRYPT_COST = 15;

  /// Rounds of one HMAC. Frameworks use up to 1,300,000.
  static final int PBKDF2_ITERATIONS = 5_000_000;

  static final int SHA_CRYPT_ROUNDS = 2_000_000;

  /// Two to the power of this.
  static final int PHPASS_ROUNDS = 20;

  /// What one check may use, in KiB.
  static final int MEMORY = 262_144;

  /// What one check may write in memory in all its passes, in KiB.
  static final int WRITTEN = 1_048_576;

  /// What all checks at a time may use together, in KiB: a quarter of the heap.
  private static final int SHARED =
      Math.clamp(Runtime.getRuntime().maxMemory() / 4 / 1_024, 65_536, 1_048_576);

  private static final Semaphore FREE = new Semaphore(SHARED, true);

  /// Work that uses memory.
  interface Work {
    byte[] run();
  }

  private Costs() {}

  /// @throws UnreadableHashException if it is more than `most`
  static int bounded(String what, long value, int most) throws UnreadableHashException {
    if (value < 0) {
      throw new IllegalArgumentException(what);
    }
    if (value > most) {
      throw new UnreadableHashException("the stored password has more " + what + " than " + most);
    }
    return (int) value;
  }

  /// @throws UnreadableHashException if a check may not use that much memory
  static int memory(long kib) throws UnreadableHashException {
    return bounded("KiB of memory", kib, Math.min(MEMORY, SHARED));
  }

  /// Runs work that uses so much memory, when that is free.
  static byte[] withMemory(int kib, Work work) throws InterruptedException {
    FREE.acquire(kib);
    try {
      return work.run();
    } finally {
      FREE.release(kib);
    }
  }

  /// Ends work when its thread has been interrupted.
  static void goOn() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("while a password was checked");
    }
  }
}
