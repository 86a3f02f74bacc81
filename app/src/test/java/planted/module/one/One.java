package planted.module.one;

import java.security.SecureRandom;
import planted.module.two.Two;
import planted.store.AccountStore;

/// Knows another module, starts a thread and sees the accounts.
final class One {
  private One() {}

  static int count(AccountStore accounts, SecureRandom random) {
    return accounts.next(random);
  }

  static Thread start() {
    return Thread.ofVirtual().unstarted(Two::run);
  }
}
