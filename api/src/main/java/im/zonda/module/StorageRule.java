package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.stanza.Message;

/// Says whether a message belongs in the message log. Rules are asked in the order in which their
/// modules were installed. The first that says [Decision#STORE] or [Decision#SKIP] wins; when none
/// does, the server's own rule holds (RFC 6121, section 8.5.2; XEP-0160; XEP-0313).
@FunctionalInterface
public interface StorageRule {
  /// What a rule says.
  enum Decision {
    /// It belongs in the log.
    STORE,
    /// It does not.
    SKIP,
    /// If it is stored at all, which the rules that follow and the server's own rule say, then only
    /// until it has been delivered: it must not stay as archive.
    UNTIL_DELIVERED,
    /// This rule has nothing to say.
    UNDECIDED
  }

  /// Judges a message by what it is.
  Decision decide(Message message);

  /// Judges a message that is to be stored at `home`, the sender's or the receiver's: a rule that
  /// depends on whose log it is answers here instead. Must not block: what it needs is loaded with
  /// the home.
  default Decision decide(Message message, Home home) {
    return decide(message);
  }
}
