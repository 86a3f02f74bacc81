package im.zonda.router;

import im.zonda.store.MessageLog.Receipt;
import org.jspecify.annotations.Nullable;

/// What is to be done when a message of the log has reached a client. It knows its entry, so that a
/// session that reads the log passes over what it has been sent already.
final class Logged implements Runnable {
  private final long id;
  private final @Nullable Receipt receipt;
  private final @Nullable Runnable then;

  private Logged(long id, @Nullable Receipt receipt, @Nullable Runnable then) {
    this.id = id;
    this.receipt = receipt;
    this.then = then;
  }

  /// A message that is delivered as it arrives.
  ///
  /// @param receipt null if another session must have it before it is settled
  static Logged live(long id, @Nullable Receipt receipt) {
    return new Logged(id, receipt, null);
  }

  /// A message that was read from the log.
  ///
  /// @param then what follows, or null
  static Logged read(long id, @Nullable Runnable then) {
    return new Logged(id, null, then);
  }

  /// The entry.
  long id() {
    return id;
  }

  @Override
  public void run() {
    if (receipt != null) {
      receipt.delivered();
    }
    if (then != null) {
      then.run();
    }
  }
}
