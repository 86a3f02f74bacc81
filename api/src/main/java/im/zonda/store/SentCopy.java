package im.zonda.store;

import im.zonda.store.MessageLog.Entry;
import java.util.concurrent.atomic.AtomicBoolean;

/// The sender's own copy of a message that is on its way. The receiver's home takes it, to append
/// it together with the receiver's entry, or else the sender's home appends it alone.
public final class SentCopy {
  private final Entry entry;
  private final AtomicBoolean taken = new AtomicBoolean();

  public SentCopy(Entry entry) {
    this.entry = entry;
  }

  /// The sender's entry.
  public Entry entry() {
    return entry;
  }

  /// Takes the copy; the caller must append it. False if another has taken it.
  public boolean take() {
    return taken.compareAndSet(false, true);
  }
}
