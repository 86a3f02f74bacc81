package im.zonda.bench.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Interrupts a thread when the process gets a signal to end, and waits until that thread has
/// stopped its child processes.
final class SignalEnd {
  private static final int SECONDS = 30;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private SignalEnd(Thread running) {
    hook = Thread.ofPlatform().name("bench-end").unstarted(() -> interrupt(running));
  }

  /// From now on a signal interrupts the calling thread and waits for [#release].
  static SignalEnd ofThisThread() {
    SignalEnd end = new SignalEnd(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  private void interrupt(Thread running) {
    running.interrupt();
    try {
      boolean _ = done.await(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The thread has ended everything.
  void release() {
    done.countDown();
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The signal has come: the hook waits for this thread.
    }
  }
}
