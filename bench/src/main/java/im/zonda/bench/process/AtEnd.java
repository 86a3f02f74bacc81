package im.zonda.bench.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Actions that run when this virtual machine ends, also by Ctrl-C: the latest first.
final class AtEnd {
  private static final Deque<Runnable> ALL = new ArrayDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(AtEnd::runAll, "bench-targets-end"));
  }

  private AtEnd() {}

  /// Registers an action, which must bear to be run twice.
  static void add(Runnable action) {
    synchronized (ALL) {
      ALL.push(action);
    }
  }

  /// Takes an action back.
  static void remove(Runnable action) {
    synchronized (ALL) {
      boolean _ = ALL.remove(action);
    }
  }

  private static void runAll() {
    for (Runnable next = poll(); next != null; next = poll()) {
      next.run();
    }
  }

  private static @Nullable Runnable poll() {
    synchronized (ALL) {
      return ALL.poll();
    }
  }
}
