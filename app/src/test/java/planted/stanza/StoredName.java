package planted.stanza;

import java.nio.charset.StandardCharsets;
import planted.jid.Jid;

/// Reads a stored address by the rules of today.
final class StoredName {
  private StoredName() {}

  static Jid read(byte[] stored) {
    return Jid.of(new String(stored, StandardCharsets.UTF_8));
  }
}
