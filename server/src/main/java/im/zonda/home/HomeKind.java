package im.zonda.home;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;

/// One kind of home: how it is loaded, what it does with a stanza, when it may be unloaded. All
/// methods but [#admit] are called in the home's mailbox, so nothing else happens at the home
/// meanwhile.
///
/// @param <H> what a home of this kind holds
public interface HomeKind<H> {
  /// Loads the home of a bare address. May block.
  H load(Jid address);

  /// Whether the home stays loaded after a task; otherwise the next task loads it again.
  default boolean isLasting(H home) {
    return true;
  }

  /// Called before a stanza waits at its home, on the sender's thread. What it returns waits
  /// instead, and is given to [#finished] in any case.
  default Envelope admit(Jid address, Envelope envelope) {
    return envelope;
  }

  /// Whether [#accept] may block for that stanza. Must not block.
  boolean mayBlock(H home, Envelope envelope);

  /// Handles a stanza. May block only if [#mayBlock] has said so.
  void accept(H home, Envelope envelope);

  /// The home could not be loaded, [#accept] threw, or there was no worker: the stanza's sender
  /// must be answered.
  ///
  /// @return false if the stanza stays held: its sender must not learn that it has been handled
  boolean failed(Envelope envelope, Throwable cause);

  /// The stanza has been handled, or has failed. Called once for each.
  default void finished(Envelope envelope) {}

  /// Whether the home can be unloaded. Called while nothing waits there; must not block.
  boolean canUnload(H home);

  /// The home has been unloaded and is not used again. Must not block.
  default void unloaded(H home) {}
}
