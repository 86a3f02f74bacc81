package im.zonda.journal;

import im.zonda.jid.Jid;

/// Erases what was recorded of the messages of a person who is to be forgotten. A port. Calls
/// block.
@FunctionalInterface
public interface Erasure {
  /// Erases what was recorded of messages that an address has sent or was sent: why they were not
  /// delivered, and their steps. What other nodes of a cluster have in memory stays there until it
  /// is displaced.
  void erase(Jid address);
}
