package im.zonda.module.strangers;

import im.zonda.module.Origin;
import java.util.concurrent.atomic.AtomicInteger;

/// The origin of a message that was held, and of the error that returns it. Its sender's server has
/// been told that it was handled, so the sender gets an error if it cannot be stored.
final class HeldOrigin implements Origin {
  private final AtomicInteger holds = new AtomicInteger(1);
  private final Runnable handled;

  /// An origin that is held once.
  ///
  /// @param handled runs on any thread when nothing holds it; must not block
  HeldOrigin(Runnable handled) {
    this.handled = handled;
  }

  @Override
  public boolean acknowledges() {
    return true;
  }

  @Override
  public void hold() {
    holds.incrementAndGet();
  }

  @Override
  public void release() {
    int left = holds.decrementAndGet();
    if (left == 0) {
      handled.run();
    } else if (left < 0) {
      throw new IllegalStateException("released more often than held");
    }
  }
}
