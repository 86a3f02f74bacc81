package im.zonda.provider.program;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The ends of processes that were asked to end.
final class Endings {
  private Endings() {}

  /// Waits until they have ended, and ends at once those that have not in time, or when the thread
  /// is interrupted.
  static void await(List<ProcessHandle> processes, long nanos) {
    CompletableFuture<?>[] ends =
        processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      processes.forEach(ProcessHandle::destroyForcibly);
    } catch (InterruptedException e) {
      processes.forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }
}
