package im.zonda.module;

import im.zonda.stanza.Message;

/// Says whether a message belongs in the message log. The first rule that decides wins; when none
/// does, the server's own rule holds (RFC 6121, section 8.5.2; XEP-0160; XEP-0313).
@FunctionalInterface
public interface StorageRule {
  /// What a rule says.
  enum Decision {
    STORE,
    SKIP,
    UNDECIDED
  }

  /// Judges a message.
  Decision decide(Message message);
}
