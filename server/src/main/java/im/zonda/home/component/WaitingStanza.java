package im.zonda.home.component;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Message;

/// A stanza that a component has not been sent, or whose bytes have not left yet.
///
/// @param envelope the stanza; held if it is a message
/// @param sender the bare address of its sender
/// @param size what it counts, in bytes
/// @param since when it came to the home, in ms
record WaitingStanza(Envelope envelope, Jid sender, int size, long since) {
  /// The least that a stanza counts, which is about what it costs to keep one.
  private static final int LEAST_BYTES = 256;

  /// Addresses and the objects around the stanza.
  private static final int OVERHEAD = 128;

  /// A stanza that has come now.
  static WaitingStanza of(Envelope envelope, long now) {
    Jid from = envelope.stanza().from();
    Jid to = envelope.stanza().to();
    if (from == null || to == null) {
      throw new IllegalArgumentException("a stanza for a component has a sender and an addressee");
    }
    int size = Math.max(LEAST_BYTES, envelope.stanza().writtenSize() + OVERHEAD);
    return new WaitingStanza(envelope, from.bare(), size, now);
  }

  /// When the cause of a message came to this process ([im.zonda.module.Origin#since]), or 0.
  long cause() {
    return envelope.stanza() instanceof Message ? envelope.origin().since() : 0;
  }

  /// Keeps a message from being handled until [#release].
  void hold() {
    if (envelope.stanza() instanceof Message) {
      envelope.origin().hold();
    }
  }

  /// Ends [#hold].
  void release() {
    if (envelope.stanza() instanceof Message) {
      envelope.origin().release();
    }
  }
}
