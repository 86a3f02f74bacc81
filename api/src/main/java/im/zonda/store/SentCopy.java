package im.zonda.store;

import im.zonda.store.MessageLog.Entry;

/// The sender's own copy of a message that is on its way. The receiver's home takes it, to append
/// it together with the receiver's entry; otherwise the sender's home appends it alone.
public interface SentCopy {
  /// The sender's entry.
  Entry entry();

  /// Takes the copy; the caller must append it. False if another has taken it. Any thread may call.
  boolean take();
}
