package planted.bench;

import planted.store.AccountStore;

/// A load driver that uses code of the server.
final class Generator {
  private Generator() {}

  static Class<?> server() {
    return AccountStore.class;
  }
}
