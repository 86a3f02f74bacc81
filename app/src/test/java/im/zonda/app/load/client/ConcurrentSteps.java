package im.zonda.app.load.client;

import im.zonda.app.load.measure.LatencyHistogram;
import im.zonda.app.load.measure.Rate;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs one step for many clients at once, each on a virtual thread. A client that fails tries
/// again a second later.
public final class ConcurrentSteps {
  private static final int ATTEMPTS = 10;

  /// The step of one client.
  public interface Step {
    void run(int number) throws IOException;
  }

  /// The result.
  ///
  /// @param done number of clients that succeeded
  /// @param errors attempts that failed
  /// @param samples messages of some of them
  /// @param times from the common start to the end of each client's step
  public record Outcome(
      int done, int errors, List<String> samples, double seconds, LatencyHistogram times) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d done in %.2f s (%.0f/s), %d attempts failed%s; %s",
          done,
          seconds,
          done / seconds,
          errors,
          samples.isEmpty() ? "" : " " + samples,
          times);
    }
  }

  private final int size;
  private final int concurrency;

  /// @param concurrency number of clients that run at the same time; 0 for all
  public ConcurrentSteps(int size, int concurrency) {
    this.size = size;
    this.concurrency = concurrency == 0 ? size : concurrency;
  }

  /// Runs the step for all; returns when all have succeeded or given up.
  public Outcome all(Step step) {
    Semaphore places = new Semaphore(Math.max(1, concurrency));
    AtomicInteger done = new AtomicInteger();
    AtomicInteger errors = new AtomicInteger();
    ConcurrentLinkedQueue<String> samples = new ConcurrentLinkedQueue<>();
    long start = System.nanoTime();
    LatencyHistogram times = new LatencyHistogram(start, Long.MAX_VALUE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < size; i++) {
        int number = i;
        threads.execute(() -> {
          places.acquireUninterruptibly();
          try {
            if (attempt(step, number, errors, samples)) {
              times.record(start);
              done.incrementAndGet();
            }
          } finally {
            places.release();
          }
        });
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Outcome(
        done.get(), errors.get(), samples.stream().limit(3).toList(), seconds, times);
  }

  private static boolean attempt(
      Step step, int number, AtomicInteger errors, ConcurrentLinkedQueue<String> samples) {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        step.run(number);
        return true;
      } catch (IOException e) {
        errors.incrementAndGet();
        samples.add(String.valueOf(e.getMessage()));
        Rate.pause(1_000);
      }
    }
    return false;
  }
}
