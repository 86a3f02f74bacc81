package planted.storage;

import planted.module.two.Two;

/// A store that knows a module.
final class Store {
  private Store() {}

  static void run() {
    Two.run();
  }
}
