package im.zonda.app.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Many writes that wait for the disk together: their transactions share a commit.
final class ManyWrites {
  /// How many wait at a time.
  private static final int AT_ONCE = 500;

  private ManyWrites() {}

  /// A write.
  @FunctionalInterface
  interface Write {
    /// Writes one.
    ///
    /// @param number its number, from 0
    void run(int number);
  }

  /// Runs that many writes.
  static void run(int count, Write write) throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int first = 0; first < count; first += AT_ONCE) {
        List<Future<?>> running = new ArrayList<>();
        for (int i = first; i < Math.min(count, first + AT_ONCE); i++) {
          int number = i;
          running.add(threads.submit(() -> write.run(number)));
        }
        for (Future<?> each : running) {
          each.get();
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
