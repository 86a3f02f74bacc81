package planted.store;

import java.security.SecureRandom;

/// Holds machinery and state where only contracts belong.
public final class AccountStore {
  private int count;

  /// Counts.
  public int next(SecureRandom random) {
    count += random.nextInt();
    return count;
  }
}
