package planted.bench;

import planted.stanza.Something;

/// A load driver that uses code of the server.
final class Generator {
  private Generator() {}

  static Class<?> server() {
    return Something.class;
  }
}
