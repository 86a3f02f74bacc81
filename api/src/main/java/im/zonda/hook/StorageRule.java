package im.zonda.hook;

import im.zonda.session.Home;
import im.zonda.stanza.Message;

/// Decides whether a message is stored in the message log. Rules are asked in the order in which
/// their modules were installed. The first that answers [Decision#STORE] or [Decision#SKIP]
/// decides; otherwise the server's own rule does (RFC 6121, section 8.5.2; XEP-0160; XEP-0313).
@FunctionalInterface
public interface StorageRule {
  /// What a rule answers.
  enum Decision {
    /// Store it.
    STORE,
    /// Do not store it.
    SKIP,
    /// If another rule stores it, keep it only until it has been delivered, not in the archive.
    UNTIL_DELIVERED,
    /// This rule does not apply.
    UNDECIDED
  }

  /// Decides by the message alone.
  Decision decide(Message message);

  /// Decides for the log of `home`, which is the sender's or the receiver's. Must not block: what
  /// it needs is loaded with the home.
  default Decision decide(Message message, Home home) {
    return decide(message);
  }
}
