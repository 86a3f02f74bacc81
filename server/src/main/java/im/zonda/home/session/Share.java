package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/// The share of the [Budget] that the stanzas of one session use. Changed only in the home's
/// mailbox, read by any thread.
public final class Share {
  /// About what a stanza costs beside its bytes, in bytes.
  public static final int OVERHEAD = 200;

  /// Above this size, further stanzas are kept as their bytes alone: a tree of elements can take
  /// many times its bytes.
  private static final int PACKED_ABOVE = 16_384;

  private static final AtomicIntegerFieldUpdater<Share> BYTES =
      AtomicIntegerFieldUpdater.newUpdater(Share.class, "bytes");

  private final Budget<?> budget;
  private volatile int bytes;

  /// The largest stanza since nothing was taken; its bytes do not count in the session's own bound.
  private int largest;

  public Share(Budget<?> budget) {
    this.budget = budget;
  }

  /// The time, in ms since 1970.
  long now() {
    return budget.now();
  }

  /// What a stanza counts.
  public static int sizeOf(Stanza stanza) {
    return stanza.writtenSize() + OVERHEAD;
  }

  /// The most stanzas that may wait for the client's acknowledgement.
  public int stanzas() {
    return budget.stanzas();
  }

  /// Its session has lost its stream, or has got one.
  void attachmentChanged(Budget.Member session) {
    budget.changed(session);
  }

  /// The session has not acknowledged its oldest stanza for that long, in ms.
  void late(Jid session, long age, int waiting) {
    budget.slow().late(session, age, waiting, bytes);
  }

  /// Takes room for a stanza; false if there is none. In the session's own bound there is room for
  /// one stanza however large it is, beside the others: the session would end again whenever the
  /// stanza is sent again.
  public boolean take(KeptStanza kept) {
    int size = kept.size();
    int taken = bytes;
    int most = taken == 0 ? size : Math.max(largest, size);
    if ((long) taken + size - most > budget.bytes() || !budget.take(size, taken)) {
      return false;
    }
    largest = most;
    BYTES.lazySet(this, taken + size);
    if (taken + size > PACKED_ABOVE) {
      kept.pack();
    }
    return true;
  }

  /// Gives the room for it back.
  public void give(KeptStanza kept) {
    BYTES.lazySet(this, bytes - kept.size());
    budget.give(kept.size());
  }

  /// The bytes that are taken.
  public int bytes() {
    return bytes;
  }
}
