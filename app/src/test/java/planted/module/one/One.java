package planted.module.one;

import planted.module.two.Two;

/// Knows another module and starts a thread.
final class One {
  private One() {}

  static Thread start() {
    return Thread.ofVirtual().unstarted(Two::run);
  }
}
