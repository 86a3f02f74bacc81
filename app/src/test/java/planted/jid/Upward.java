package planted.jid;

import planted.stanza.Something;

/// Uses what is above it on the ladder.
final class Upward {
  private Upward() {}

  static Class<?> above() {
    return Something.class;
  }
}
